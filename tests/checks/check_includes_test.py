"""Shows scripts/check-includes trees with and without faults. Its path is the only argument."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE = """
ballast_stage(base LIBRARIES fmt::fmt)
ballast_stage(formats AFTER base)
ballast_stage(catalog AFTER formats)
"""
TABLE = """
ballast/error.hpp    base
ballast/formats.hpp  formats  # a comment
ballast/models/*     catalog
"""

GOOD = {
    "CMakeLists.txt": CMAKE,
    "scripts/stages.txt": TABLE,
    "include/ballast/error.hpp": "#include <vector>\n",
    "include/ballast/formats.hpp": '#include "ballast/error.hpp"\n',
    "include/ballast/models/llama.hpp": '#include "ballast/formats.hpp"\n',
    "src/base/error.cpp": '#include "ballast/error.hpp"\n#include <fmt/core.h>\n',
    "src/formats/json.hpp": '#include "ballast/formats.hpp"\n',
    "src/formats/gguf.cpp": '#include "json.hpp"\n#include "formats/json.hpp"\n#include "ballast/error.hpp"\n',
    "src/catalog/catalog.cpp": '#include "formats/json.hpp"\n#include "ballast/models/llama.hpp"\n',
}


class CheckIncludes(unittest.TestCase):
    def run_on(self, files):
        """Exit status and messages on the good tree with some files added or replaced."""
        with tempfile.TemporaryDirectory() as root:
            for name, text in {**GOOD, **files}.items():
                path = pathlib.Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            result = subprocess.run([sys.executable, SCRIPT, "--root", root], capture_output=True, text=True, check=False)
            return result.returncode, result.stderr

    def expect_fault(self, name, text, message):
        status, messages = self.run_on({name: text})
        self.assertEqual(status, 1, messages)
        self.assertIn(message, messages)
        self.assertEqual(len(messages.splitlines()), 1, messages)

    def test_a_good_tree_passes(self):
        self.assertEqual(self.run_on({}), (0, ""))

    def test_a_later_public_header(self):
        self.expect_fault("src/base/x.cpp", '#include "ballast/formats.hpp"\n',
                          "src/base/x.cpp:1: includes ballast/formats.hpp of stage 'formats', which comes after 'base'")

    def test_a_later_private_header(self):
        self.expect_fault("src/base/x.cpp", "\n#include <vector>\n  #  include <formats/json.hpp>\n",
                          "src/base/x.cpp:3: includes formats/json.hpp of stage 'formats'")

    def test_a_later_private_header_by_a_relative_path(self):
        self.expect_fault("src/base/x.cpp", '#include "../formats/json.hpp"\n', "of stage 'formats'")

    def test_a_public_header_that_includes_a_later_one(self):
        self.expect_fault("include/ballast/error.hpp", '#include "ballast/models/llama.hpp"\n', "of stage 'catalog'")

    def test_a_public_header_that_includes_a_private_one(self):
        self.expect_fault("include/ballast/formats.hpp", '#include "formats/json.hpp"\n', "which is not public")

    def test_a_public_header_that_includes_a_dependency(self):
        self.expect_fault("include/ballast/formats.hpp", "#include <fmt/core.h>\n", "nor of the standard library")

    def test_a_public_header_that_the_table_does_not_know(self):
        self.expect_fault("include/ballast/new.hpp", "", "include/ballast/new.hpp: belongs to no stage")

    def test_a_folder_that_is_no_stage(self):
        self.expect_fault("src/misc/x.cpp", "", "src/misc/x.cpp: belongs to no stage")

    def test_a_table_with_an_unknown_stage(self):
        status, messages = self.run_on({"scripts/stages.txt": TABLE + "ballast/x.hpp elsewhere\n"})
        self.assertEqual(status, 1)
        self.assertIn("stages.txt:5: not a header and the name of a stage", messages)


if __name__ == "__main__":
    SCRIPT = sys.argv.pop(1)
    unittest.main()
