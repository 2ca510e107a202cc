/** The page as static files: no outside request at run time, names with hashes, one style sheet. */
import tailwind from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  plugins: [react(), tailwind()],
  resolve: { conditions: ["mooring-source", "module", "browser", "import", "default"] },
  build: { outDir: "dist", target: "es2023", assetsInlineLimit: 0, chunkSizeWarningLimit: 1_600 },
});
