/**
 * Every property draws the same values in every run, so that a push never fails for what another one brought.
 * `MOORING_SEED` names another seed; the soak (`npm run soak`) looks where no fixed seed does.
 */
import fc from "fast-check";

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env["MOORING_SEED"] ?? 1) });
