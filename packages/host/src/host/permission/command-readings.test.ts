import { expect, test } from "vitest";
import { cpuMs } from "../../testing/cpu-ms.ts";
import { readCommand, textsOf } from "./command-readings.ts";

const texts = (command: string): string[] => readCommand(command).flatMap(textsOf);

test.each([
  "rm -rf x",
  "ls; rm -rf x",
  "ls && rm -rf x",
  "ls || rm -rf x",
  "ls | rm -rf x",
  "ls & rm -rf x",
  "ls\nrm -rf x",
  "(rm -rf x)",
  "{ rm -rf x; }",
  "echo $(rm -rf x)",
  'echo "$(rm -rf x)"',
  'echo "`rm -rf x`"',
  "echo `rm -rf x`",
  "cat <(rm -rf x)",
  "/bin/rm -rf x",
  "'rm' -rf x",
  '"rm" -rf x',
  "r\\m -rf x",
  "r''m -rf x",
  "rm  \t -rf   x",
  "rm\u0024{IFS}-rf\u0024{IFS}x",
  "{rm,-rf,x}",
  "rm \\\n -rf x",
  "A=1 B=2 rm -rf x",
  "sudo rm -rf x",
  "sudo -u root rm -rf x",
  "env A=1 rm -rf x",
  "nohup nice -n 5 rm -rf x",
  "timeout 5 rm -rf x",
  "echo x | xargs rm -rf x",
  "find . -exec rm -rf x \\;",
  "if true; then rm -rf x; fi",
  "while true; do rm -rf x; done",
  "! rm -rf x",
  "bash -c 'rm -rf x'",
  'sh -c "rm -rf x"',
  "bash -c 'bash -c \"rm -rf x\"'",
  "eval 'rm -rf x'",
  "echo 'rm -rf x' | sh",
  "bash <<EOF\nrm -rf x\nEOF",
  "bash <<< 'rm -rf x'",
  "X='rm -rf x'; $X",
  "f() { rm -rf x; }; f",
  "ls # a\nrm -rf x",
  "rm -rf x > log 2>&1",
])("%j may run it", (command) => {
  expect(texts(command).some((text) => text.startsWith("rm -rf x"))).toBe(true);
});

test.each(["echo 'rm -rf x'", "git commit -m 'rm -rf x'", "grep rm -rf x", "ls rm"])("%j does not", (command) => {
  expect(texts(command).some((text) => text.startsWith("rm -rf x"))).toBe(false);
});

test("the files that redirections write are known", () => {
  expect(readCommand("a > x 2>>y >|z >& v < w")).toEqual([{ words: ["a", "w"], writes: ["x", "y", "z", "v"] }]);
});

test("reading is bounded, whatever it is given", () => {
  const spent = cpuMs(() => {
    for (const piece of ["$(", "`", "'", '"', "sudo ", "{a,b}", "a;", "bash -c '", "${", "<("])
      readCommand(piece.repeat(20_000));
  });
  expect(spent).toBeLessThan(5_000);
});
