"""Ctrl-C, readers that go away, disks that are full, terminals."""

import os
import re
import signal
import subprocess
import time
import unittest

from running import BALLAST, GGUF, LLAMA, CliTest, document, large_checkpoint, on_terminal, run


def stopped(path, *arguments, with_signal):
    """A load that gets a signal when it is well on its way."""
    process = subprocess.Popen([BALLAST, "load", path, "--threads", "1", "--digest", *arguments], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # resident memory grows: it is reading
        with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
            if int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") > 200e6:
                break
        time.sleep(0.01)
    process.send_signal(with_signal)
    out, error = process.communicate(timeout=60)
    return process.returncode, out, error


class Signals(CliTest):
    def test_ctrl_c_cancels(self):
        with large_checkpoint(1.2) as path:
            for with_signal in (signal.SIGINT, signal.SIGTERM):
                with self.subTest(with_signal):
                    self.assertEqual(stopped(path, with_signal=with_signal), (130, "", "cancelled\n"))

    def test_ctrl_c_with_json(self):
        with large_checkpoint(1.2) as path:
            status, out, error = stopped(path, "--json", with_signal=signal.SIGINT)
            self.assertEqual((status, error), (130, "cancelled\n"))
            self.assertEqual(document(out)["error"]["code"], "cancelled")

    def test_a_reader_that_goes_away(self):
        read_end, write_end = os.pipe()
        os.close(read_end)
        result = subprocess.run([BALLAST, "inspect", GGUF], stdout=write_end, stderr=subprocess.PIPE, text=True,
                                timeout=60)
        os.close(write_end)
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_closed_streams(self):
        for closed in (">&-", "2>&-", "<&-", "<&- >&- 2>&-"):
            with self.subTest(closed):
                result = subprocess.run(["sh", "-c", f'"$0" load "$1" {closed}', BALLAST, LLAMA],
                                        capture_output=True, timeout=60)
                self.assertEqual(result.returncode, 0)

    def test_a_full_disk(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([BALLAST, "inspect", GGUF], stdout=full, stderr=subprocess.PIPE, text=True,
                                    timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertIn("standard output", result.stderr)


class Terminals(CliTest):
    def test_no_escapes_where_there_is_no_terminal(self):
        for command in ("inspect", "check", "plan", "load"):
            self.assertNotIn("\x1b", run(command, GGUF).stdout)

    def test_colours_on_a_terminal(self):
        status, output = on_terminal("inspect", GGUF)
        self.assertEqual(status, 0)
        self.assertIn("\x1b[1m", output)

    def test_no_color(self):
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", on_terminal("inspect", GGUF, environment=environment)[1])

    def test_a_short_load_shows_no_bar(self):
        self.assertNotIn("\r\x1b[K", on_terminal("load", GGUF)[1])
        self.assertNotIn("[#", on_terminal("load", GGUF)[1])

    def test_a_long_load_shows_a_bar_and_erases_it(self):
        with large_checkpoint(2) as path:
            for columns in (80, 30):
                with self.subTest(columns):
                    status, output = on_terminal("load", path, "--threads", "1", "--digest", columns=columns)
                    self.assertEqual(status, 0)
                    pictures = re.findall(r"\r((?:load|digest) [^\r\x1b]*)\x1b\[K", output)
                    if not pictures:
                        self.skipTest("this machine reads and digests 2 GB within a second each")
                    self.assertTrue(all(len(picture) < columns for picture in pictures), pictures)
                    after = output[output.rindex(pictures[-1]):]
                    self.assertIn("\r\x1b[K", after)
                    self.assertIn("each byte once", after)


if __name__ == "__main__":
    unittest.main()
