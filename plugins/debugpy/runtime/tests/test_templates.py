"""Tests of templates.py: which files are templates, and the lines of those of Jinja2."""

import os
import tempfile
import types
import unittest

import tests  # noqa: F401
import templates


class Files(unittest.TestCase):
    def test_templates_are_known_by_their_tags_and_names(self):
        cases = [
            ("a.html", "<p>{{ name }}</p>", True),
            ("a.html", "{{ name }}", True),  # Python as well
            ("a.html", "<p>plain</p>", False),
            ("a.py", "{{ name }}", False),
            ("a.py", "{% if %}", False),
            ("a.wsgi", "text = '{{ name }}'", False),
            ("a", "text = '{{ name }}'", False),
            ("a", "{% if name %}x{% endif %}", True),
            ("a.hy", "(print 1)", False),
        ]
        with tempfile.TemporaryDirectory() as directory:
            for name, source, expect in cases:
                path = os.path.join(directory, name)
                with open(path, "w") as file:
                    file.write(source)
                self.assertEqual(templates.is_template(path), expect, (name, source))
            self.assertFalse(templates.is_template(os.path.join(directory, "none")))

    def test_line_of_generated_code_is_that_of_its_tag(self):
        template = types.SimpleNamespace(debug_info=[(1, 13), (3, 16), (4, 20)])
        lines = [templates.line_of(template, line) for line in (5, 13, 15, 16, 19, 20, 90)]
        self.assertEqual(lines, [1, 1, 1, 3, 3, 4, 4])


class Tables(unittest.TestCase):
    def test_each_library_has_its_own_table(self):
        tables = templates.Tables()
        for kind in templates.KINDS:
            tables.kind = kind
            self.assertFalse("file" in tables)
            tables["file"] = {1: kind}
        self.assertEqual(tables["file"], {1: "jinja2-line"})
        tables.kind = "django-line"
        self.assertEqual(tables.get("file"), {1: "django-line"})
        self.assertEqual(tables.get("other", {}), {})
        tables.pop("file", None)
        self.assertEqual(list(tables), [])


class Tag:
    def __init__(self, contents, line=3):
        self.token = types.SimpleNamespace(position=None, contents=contents, lineno=line)


class Passes(unittest.TestCase):
    def frame(self, name, back=None, tag=None):
        code = types.SimpleNamespace(co_name=name)
        return types.SimpleNamespace(f_code=code, f_back=back, f_locals={"self": tag})

    def test_tags_of_a_line_are_one_pass(self):
        read = "_get_template_original_file_name_from_frame"
        setattr(templates.django_debug, read, lambda frame: "list.html")
        one = templates.Pass()
        loops = [self.frame("render"), self.frame("render")]
        title, author, other = Tag("book.title"), Tag("book.author"), Tag("end", 5)
        rendered = [
            (0, title, False), (0, author, True),
            (0, title, False), (0, author, True),  # the next turn of the loop
            (0, other, False), (0, author, False),
            (1, author, False), (1, title, True),
        ]  # fmt: skip
        frames = []  # all exist at once: ids of frames that are gone may come again
        for loop, tag, is_continued in rendered:
            annotated = self.frame("render_annotated", loops[loop])
            frames.append(self.frame("render", annotated, tag))
            for _ in range(2):
                self.assertEqual(one.is_continued(frames[-1]), is_continued, len(frames))


if __name__ == "__main__":
    unittest.main()
