// The program `proctor`, and which one of several it is.
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';

/** PROCTOR_BINARY, the program of the package for this system that was installed with this one, or `proctor` in PATH. */
export function program() {
  const named = process.env.PROCTOR_BINARY;
  if (named?.includes('/')) {
    try {
      accessSync(named, constants.X_OK);
    } catch {
      throw new Error(`PROCTOR_BINARY names '${named}', which is no program; set PROCTOR_BINARY to the path of proctor, or PROCTOR_SERVER to the URL of a running server`);
    }
  }
  if (named) return named;
  try {
    return createRequire(import.meta.url).resolve(`proctor-http-${process.platform}-${process.arch}/bin/proctor`);
  } catch {
    return 'proctor';
  }
}
