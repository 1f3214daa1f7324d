"""Help, version, wrong usage: what is said where, and with which exit status."""

import unittest

from running import GGUF, LLAMA, CliTest, run

COMMANDS = ("inspect", "check", "plan", "load", "models")


class Usage(CliTest):
    def test_version(self):
        self.assertRegex(self.succeed("--version"), r"\Aballast \d+\.\d+\.\d+\n\Z")

    def test_help_names_every_command_and_has_examples(self):
        text = self.succeed("--help")
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", text)
        self.assertIn("Examples:", text)

    def test_help_of_each_command(self):
        for command in COMMANDS:
            with self.subTest(command):
                text = self.succeed(command, "--help")
                self.assertIn(f"ballast {command}", text)
                self.assertIn("--json", text)
                if command != "models":
                    self.assertIn("Examples:", text)

    def test_help_fits_in_100_columns(self):
        for command in ((), *((command,) for command in COMMANDS)):
            for line in self.succeed(*command, "--help").splitlines():
                self.assertLessEqual(len(line), 100, line)

    def refused(self, *arguments, says):
        with self.subTest(arguments):
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, result.stderr)
            self.assertEqual(result.stdout, "")
            self.assertIn(says, result.stderr)

    def test_wrong_usage(self):
        self.refused(says="Usage: ballast")
        self.refused("--json", says="a command is missing")
        self.refused("lod", LLAMA, says="no command 'lod'")
        self.refused("load", says="PATH is required")
        self.refused("load", "--json", says="PATH is required")
        self.refused("load", LLAMA, GGUF, says="not expected")
        self.refused("load", LLAMA, "--nonsense", says="--nonsense")
        self.refused("inspect", LLAMA, "--tp-size", "2", says="--tp-size")

    def test_wrong_values(self):
        self.refused("load", LLAMA, "--tp-size", "0", says="'0' is not a whole number from 1")
        self.refused("check", LLAMA, "--tp-size", "-1", says="'-1' is not")
        self.refused("check", LLAMA, "--tp-size", "2x", says="'2x' is not")
        self.refused("load", LLAMA, "--tp-size", "2", "--tp-rank", "2", says="2 is not below --tp-size 2")
        self.refused("plan", LLAMA, "--tp-rank", "1", says="1 is not below --tp-size 1")
        self.refused("plan", LLAMA, "--tp-rank", "all", says="'all' is not a whole number from 0 to 65535\n")
        self.refused("load", LLAMA, "--tp-rank", "every", says="'every' is not a whole number from 0 to 65535, or all")
        self.refused("load", LLAMA, "--dtype", "int8", says="auto, bf16, f16, f32")
        self.refused("load", LLAMA, "--gated-layout", "x", says="interleaved, concatenated")
        self.refused("load", LLAMA, "--model-type", "x", says="ballast models")
        self.refused("load", LLAMA, "--threads", "9" * 30, says="--threads")

    def test_what_is_typed_cannot_reach_the_terminal(self):
        result = run("load", LLAMA, "--dtype", "\x1b[31m")
        self.assertEqual(result.returncode, 2)
        self.assertNotIn("\x1b", result.stderr)


if __name__ == "__main__":
    unittest.main()
