// The clock of a trace: CLOCK_MONOTONIC on Linux, CLOCK_MONOTONIC_RAW on Darwin, in nanoseconds (Docs/clients/kits.md).
//
// In Node that is process.hrtime.bigint(): libuv reads CLOCK_MONOTONIC on Linux, and mach_continuous_time on Darwin. Deno and Bun
// count hrtime from their own start, so they ask the C library; Deno needs --allow-ffi for that. The times are BigInt: as
// numbers they would be inexact after 104 days of uptime.

const LIBRARY = process.platform === "darwin" ? "/usr/lib/libSystem.B.dylib" : "libc.so.6";
const CLOCK = process.platform === "darwin" ? 4 : 1;

/** clock_gettime, which writes seconds and nanoseconds into its second argument. */
async function clockOfC() {
  if (globalThis.Deno) {
    const clock_gettime = { parameters: ["i32", "buffer"], result: "i32" };
    return Deno.dlopen(LIBRARY, { clock_gettime }).symbols.clock_gettime;
  }
  const { dlopen } = await import("bun:ffi");
  return dlopen(LIBRARY, { clock_gettime: { args: ["i32", "ptr"], returns: "i32" } }).symbols.clock_gettime;
}

async function clock() {
  if (!globalThis.Deno && !globalThis.Bun) return () => process.hrtime.bigint();
  const read = await clockOfC();
  const time = new BigInt64Array(2);
  return () => {
    if (read(CLOCK, time) !== 0) throw new Error("clock_gettime failed");
    return time[0] * 1_000_000_000n + time[1];
  };
}

export const now = await clock();
