// node .ci/tally.mjs <reports> <data folder>: adds up vitest's JSON reports and prints "<passed> <failed>".
// <name>.started stands for a suite that was begun, <name>.passed for one that ended with exit code 0.
// What was skipped, and what failed without being a test, is named on stderr.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const [reports, dataFolder] = process.argv.slice(2);
const suites = readdirSync(reports)
  .filter((file) => file.endsWith(".started"))
  .map((file) => file.slice(0, -".started".length));

let passed = 0;
let failed = 0;
for (const suite of suites) {
  const counts = count(suite);
  passed += counts.passed;
  failed += counts.failed;
}
if (suites.length === 0) failed += fail("no suite was run");
console.log(`${passed} ${failed}`);

function count(suite) {
  const path = join(reports, `${suite}.json`);
  if (!existsSync(path)) return { passed: 0, failed: fail(`suite ${suite}: no report`) };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(path, "utf8"));
  let failures = numFailedTests;
  for (const file of testResults) failures += failuresBesideTests(file);
  if (failures === 0 && !existsSync(join(reports, `${suite}.passed`))) {
    failures += fail(`suite ${suite}: ended with an error outside of its tests`);
  }
  return { passed: numPassedTests, failed: failures };
}

/** A file that could not run, and tests skipped although their data is here. */
function failuresBesideTests({ name, status, assertionResults }) {
  const file = relative(process.cwd(), name);
  const skipped = assertionResults.filter((test) => !["passed", "failed"].includes(test.status));
  for (const test of skipped) console.error(`skipped: ${file} > ${test.fullName}`);
  let failures = 0;
  if (status === "failed" && !assertionResults.some((test) => test.status === "failed")) {
    failures += fail(`${file}: failed outside of its tests`);
  }
  if (skipped.length > 0 && file.endsWith(".emma.test.ts") && existsSync(dataFolder)) {
    failures += fail(`${file}: skipped, although ${dataFolder} is here`);
  }
  return failures;
}

function fail(reason) {
  console.error(`failed: ${reason}`);
  return 1;
}
