/** Small pictures inside buttons that say what they do in words. */
import type { ReactNode } from "react";

const Icon = ({ children }: { readonly children: ReactNode }) => (
  <svg
    viewBox="0 0 20 20"
    className="size-5"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.6"
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    {children}
  </svg>
);
export const ClipIcon = () => (
  <Icon>
    <path d="M14.5 8.5 9 14a3 3 0 0 1-4.2-4.2l6-6a2 2 0 0 1 2.9 2.9l-5.8 5.7" />
  </Icon>
);
export const CopyIcon = () => (
  <Icon>
    <path d="M7.5 7.5h8v8h-8zM4.5 12.5v-8h8" />
  </Icon>
);
export const ForkIcon = () => (
  <Icon>
    <path d="M6 3.5v13M6 11c0-2.5 8-1.5 8-5.5M14 5.5v-2M12 5.5l2-2 2 2" />
  </Icon>
);
export const MenuIcon = () => (
  <Icon>
    <path d="M3.5 5.5h13M3.5 10h13M3.5 14.5h13" />
  </Icon>
);
export const CrossIcon = () => (
  <Icon>
    <path d="m5.5 5.5 9 9m0-9-9 9" />
  </Icon>
);
export const MoreIcon = () => (
  <Icon>
    <path d="M5 10h.01M10 10h.01M15 10h.01" strokeWidth="2.6" />
  </Icon>
);
