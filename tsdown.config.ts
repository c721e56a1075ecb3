import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/offline/index.ts", "src/markdown/index.ts"],
  format: ["esm", "cjs"],
  dts: true,
  platform: "neutral",
  target: "es2022",
  // What package.json declares stays outside by default; anything else would be bundled, and is refused.
  deps: { onlyBundle: [] },
  checks: { pluginTimings: false },
});
