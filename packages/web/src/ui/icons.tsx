/** Small pictures inside buttons that say what they do in words. */
export const ClipIcon = () => (
  <svg viewBox="0 0 20 20" className="size-5" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true">
    <path d="M14.5 8.5 9 14a3 3 0 0 1-4.2-4.2l6-6a2 2 0 0 1 2.9 2.9l-5.8 5.7" strokeLinecap="round" />
  </svg>
);
