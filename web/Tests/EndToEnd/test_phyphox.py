# SPDX-License-Identifier: Apache-2.0
"""`parallax-web phyphox` and `parallax feed http://PHONE`, with a server that answers as phyphox documents it:
https://phyphox.org/wiki/index.php/Remote-interface_communication"""
import http.server
import json
import os
import threading
import unittest
import urllib.parse

from programs import PARALLAX, PROGRAMS, Daemon, Folder, Program, wait

OUTPUTS = [{"x": "gyrX"}, {"y": "gyrY"}, {"z": "gyrZ"}, {"abs": "gyr"}, {"t": "gyr_time"}]


class Phone:
    """An Android phone with the experiment 'Gyroscope'. Each request to /get finds 5 more samples."""

    def __init__(self, source="gyroscope", port=0, starts=True):
        phone = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                url = urllib.parse.urlparse(self.path)
                query = urllib.parse.parse_qsl(url.query, keep_blank_values=True)
                with phone.lock:
                    phone.requests.append(self.path)
                    body = json.dumps(phone.answer(url.path, query)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        self.lock = threading.Lock()
        self.source, self.starts = source, starts
        self.requests = []
        self.measuring, self.session = False, "a"
        # 1,000 rows that were recorded before.
        self.rows = [(i / 100, 0.1, 0.2, 0.3) for i in range(1000)]
        self.server = http.server.HTTPServer(("127.0.0.1", port), Handler)
        self.port = self.server.server_address[1]
        self.address = "http://127.0.0.1:%d" % self.port
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True)
        self.thread.start()

    def answer(self, path, query):
        if path == "/config":
            return {"crc32": "1", "title": "Gyroscope (rotation rate)", "localTitle": "Gyroscope",
                    "category": "Raw Sensors", "localCategory": "Raw Sensors", "buffers": [], "export": [],
                    "inputs": [{"source": self.source, "outputs": OUTPUTS}]}
        if path == "/meta":
            return {"deviceModel": "Pixel 8", "version": "1.2.0"}
        if path == "/control":
            self.measuring = self.starts and dict(query)["cmd"] == "start"
            return {"result": self.starts}
        assert path == "/get", path
        if self.measuring:
            for _ in range(5):
                self.rows.append(((len(self.rows)) / 100, 0.5, -0.2, 0.0))
        buffers = {}
        for name, value in query:
            index = ["gyr_time", "gyrX", "gyrY", "gyrZ"].index(name)
            if value == "":
                rows, mode = self.rows[-1:], "single"
            else:
                threshold, _, reference = value.partition("|")
                assert reference == ("" if index == 0 else "gyr_time"), value
                rows, mode = [row for row in self.rows if row[0] > float(threshold)], "partial"
            buffers[name] = {"size": 0, "updateMode": mode, "buffer": [row[index] for row in rows]}
        return {"buffer": buffers, "status": {
            "session": self.session, "measuring": self.measuring, "timedRun": False, "countDown": 0}}

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class PhyphoxTests(unittest.TestCase):
    def setUp(self):
        self.folder = Folder()
        self.addCleanup(self.folder.remove)

    def phone(self, **options):
        phone = Phone(**options)
        self.addCleanup(phone.close)
        return phone

    def run_phyphox(self, *words):
        program = Program(self.folder, [os.path.join(PROGRAMS, "parallax-web"), "phyphox", *words])
        self.addCleanup(program.kill)
        return program

    def test_rows_are_printed_once_and_in_order(self):
        phone = self.phone()
        program = self.run_phyphox(phone.address)
        lines = [program.process.stdout.readline().decode() for _ in range(203)]
        self.assertEqual(lines[:2], ["# device: Pixel 8\n", "t,x,y,z\n"])
        # The newest of the old rows, then all that are measured.
        self.assertEqual(lines[2], "9.99,0.1,0.2,0.3\n")
        times = [float(line.split(",")[0]) for line in lines[3:]]
        self.assertEqual(times, [(1000 + i) / 100 for i in range(200)])
        self.assertEqual(lines[3].split(",", 1)[1], "0.5,-0.2,0.0\n")
        self.assertEqual(phone.requests[:2], ["/config", "/meta"])
        self.assertEqual(phone.requests.count("/control?cmd=start"), 1)
        self.assertEqual(program.end()[0], 0)

    def test_it_ends_with_its_reader(self):
        program = self.run_phyphox(self.phone().address)
        program.process.stdout.readline()
        program.process.stdout.close()
        self.assertEqual(program.process.wait(timeout=20), 0)

    def test_a_phone_that_comes_back_is_followed(self):
        phone = self.phone()
        program = self.run_phyphox(phone.address)
        program.process.stdout.readline()
        phone.close()
        wait("the loss is reported", lambda: "does not answer" in program.log_text())
        again = self.phone(port=phone.port)
        again.rows += phone.rows[1000:]
        wait("the return is reported", lambda: "the phone answers again" in program.log_text())
        # It had stopped.
        wait("it measures", lambda: again.measuring)

    def test_another_experiment_is_noticed(self):
        phone = self.phone()
        program = self.run_phyphox(phone.address)
        # Up to the first row: it has seen the experiment.
        for _ in range(3):
            program.process.stdout.readline()
        with phone.lock:
            phone.session, phone.source = "b", "light"
        self.assertEqual(program.process.wait(timeout=20), 69)
        self.assertIn("does not record a gyroscope", program.log_text())

    def test_what_does_not_work_is_reported(self):
        silent = self.phone(starts=False)
        program = self.run_phyphox(silent.address)
        wait("it says so", lambda: "start it on the phone" in program.log_text())
        other = self.phone(source="accelerometer")
        cases = [
            ([other.address], 69, "the experiment 'Gyroscope (rotation rate)' does not record a gyroscope; "
             "open 'Gyroscope' in phyphox"),
            (["http://127.0.0.1:1"], 69, "127.0.0.1: phyphox does not answer (port 1: Connection refused); allow "
             "remote access in its menu, and check the address that it shows"),
            (["https://127.0.0.1"], 64, "'https://127.0.0.1' is not the address of a phone; use http://PHONE or "
             "http://PHONE:PORT, as phyphox shows it"),
            ([], 64, "expected URL; see 'parallax-web phyphox --help'"),
        ]
        for words, code, message in cases:
            program = self.run_phyphox(*words)
            self.assertEqual(program.process.wait(timeout=20), code)
            self.assertEqual(program.log_text(), "parallax-web: %s\n" % message)

    def feed(self, address, daemon):
        program = Program(
            self.folder, [PARALLAX, "feed", address, "--socket", daemon.stream, "--verbose"],
            PATH=PROGRAMS + ":" + os.environ["PATH"])
        self.addCleanup(program.kill)
        return program

    def test_a_phone_moves_the_picture(self):
        phone = self.phone()
        daemon = Daemon(self.folder, "source.kind=feed")
        self.addCleanup(daemon.kill)
        program = self.feed(phone.address, daemon)
        wait("it feeds", lambda: "the samples of 'Pixel 8'" in program.log_text())
        offsets = Program(
            self.folder, [PARALLAX, "subscribe", "--class", "OFFSET", "--count", "5", "--socket", daemon.stream])
        self.addCleanup(offsets.kill)
        lines = [json.loads(offsets.process.stdout.readline()) for _ in range(5)]
        self.assertTrue(any(line["x"] != 0 for line in lines), lines)
        wait("it is used", lambda: "the daemon uses the samples of 'Pixel 8'" in program.log_text())
        self.assertEqual(program.end()[0], 0)

    def test_a_phone_that_does_not_answer_ends_the_command(self):
        daemon = Daemon(self.folder)
        self.addCleanup(daemon.kill)
        program = self.feed("http://127.0.0.1:1", daemon)
        self.assertEqual(program.process.wait(timeout=20), 69)
        self.assertEqual(program.log_text().count("\n"), 1)
        self.assertIn("parallax-web: 127.0.0.1: phyphox does not answer", program.log_text())


if __name__ == "__main__":
    unittest.main()
