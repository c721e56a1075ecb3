import { defineConfig } from "vitest/config";

export default defineConfig({
  // The package's own name leads to its sources (`paths` in tsconfig.json): no build before a test.
  resolve: { tsconfigPaths: true },
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/integration/**"],
        },
      },
      {
        extends: true,
        test: { name: "integration", include: ["test/integration/**/*.test.ts"] },
      },
    ],
  },
});
