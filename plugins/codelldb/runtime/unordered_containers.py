"""Elements of libstdc++'s unordered containers, which LLDB 20 lists as empty.

Its provider takes their type from the template arguments of the allocator, which g++ does not emit;
the table in the container has it as its second argument. Patches that provider, does not replace
it.
"""

from lldb.formatters.cpp import gnu_libstdcpp


def _element(provider):
    return provider.head.GetType().GetTemplateArgumentType(1)


gnu_libstdcpp.StdUnorderedMapSynthProvider.extract_type = _element
