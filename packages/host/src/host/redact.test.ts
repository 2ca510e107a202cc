import { expect, test } from "vitest";
import { redact, secretsOf } from "./redact.ts";

test("values of variables with secret names are taken out, longest first", () => {
  const env = {
    ANTHROPIC_API_KEY: "abcdef-123",
    LONGER_TOKEN: "abcdef-123-and-more",
    git_password: "hunter2hunter2",
    HOME: "/home/me/dir",
    GIT_AUTHOR_NAME: "Ada Lovelace",
    SHORT_KEY: "on",
  };
  const secrets = secretsOf(env);
  expect(secrets).toEqual(["abcdef-123-and-more", "hunter2hunter2", "abcdef-123"]);
  const text = "key abcdef-123, abcdef-123-and-more; hunter2hunter2 on /home/me/dir by Ada Lovelace";
  expect(redact(text, secrets)).toBe("key [redacted], [redacted]; [redacted] on /home/me/dir by Ada Lovelace");
});

test("keys and bearer tokens are known by their shape", () => {
  expect(redact('401 {"key":"sk-ant-REDACTED"}', [])).toBe('401 {"key":"[redacted]"}');
  expect(redact("Authorization: Bearer eyJhbGciOi.J9_x-y=\nnext", [])).toBe("Authorization: Bearer [redacted]\nnext");
});

test("ordinary words are left alone", () => {
  const text = "a task-force with a risk-averse bearer of news";
  expect(redact(text, [])).toBe(text);
});
