// The program `proctor`, and which one of several it is.
import { createRequire } from 'node:module';

/** PROCTOR_BINARY, the program of the package for this system that was installed with this one, or `proctor` in PATH. */
export function program() {
  if (process.env.PROCTOR_BINARY) return process.env.PROCTOR_BINARY;
  try {
    return createRequire(import.meta.url).resolve(`proctor-http-${process.platform}-${process.arch}/bin/proctor`);
  } catch {
    return 'proctor';
  }
}
