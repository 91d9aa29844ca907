"""Elements of libstdc++'s unordered containers, which LLDB 20 lists empty.

Its provider takes their type from the allocator's template arguments, of which g++ tells none;
the table in the container has it as its second one. Knows that provider; refuses to replace it.
"""

from lldb.formatters.cpp import gnu_libstdcpp


def _element(provider):
    return provider.head.GetType().GetTemplateArgumentType(1)


gnu_libstdcpp.StdUnorderedMapSynthProvider.extract_type = _element
