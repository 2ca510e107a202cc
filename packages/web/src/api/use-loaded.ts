/** A value that is fetched when its key changes; undefined until it came. The newest answer wins. */
import { useEffect, useRef, useState } from "react";
import { sayFailure } from "../ui/notices.tsx";

export function useLoaded<T>(load: () => Promise<T>, key: string | number | null = null): T | undefined {
  const [value, setValue] = useState<T>();
  const latest = useRef(load);
  latest.current = load;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for everything the loader reads
  useEffect(() => {
    let wanted = true;
    latest.current().then(
      (loaded) => wanted && setValue(loaded),
      (cause: unknown) => wanted && sayFailure(cause),
    );
    return () => {
      wanted = false;
    };
  }, [key]);
  return value;
}
