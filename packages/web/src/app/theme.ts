/** Light or dark: the person's choice on this device, else what the system says, as it changes. */
import { useEffect, useState } from "react";

export type Theme = "system" | "light" | "dark";
const key = "mooring.theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

function stored(): Theme {
  const found = window.localStorage.getItem(key);
  return found === "light" || found === "dark" ? found : "system";
}
function show(theme: Theme): void {
  const shown = theme === "system" ? (dark.matches ? "dark" : "light") : theme;
  document.documentElement.dataset["theme"] = shown;
}

export function useTheme(): readonly [Theme, (theme: Theme) => void] {
  const [theme, setTheme] = useState(stored);
  useEffect(() => {
    const apply = (): void => show(theme);
    apply();
    dark.addEventListener("change", apply);
    return () => dark.removeEventListener("change", apply);
  }, [theme]);
  return [
    theme,
    (next) => {
      window.localStorage.setItem(key, next);
      setTheme(next);
    },
  ];
}
