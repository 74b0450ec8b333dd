import { join } from 'node:path'
import { boundedProgram } from '#bounded/program.ts'
import { BoundedRunner } from '#bounded/runner.ts'
import type { run } from './tries-program.ts'

/** A parent whose run computes without end: it says the process of the run, and is killed by the test. */
const program = boundedProgram<typeof run>({
  name: 'tries',
  file: join(import.meta.dirname, 'tries-program.ts'),
  queue: 'short',
  cpuMs: 600_000,
  wallMs: 2_000,
})
const runner = new BoundedRunner()
process.stdout.write(String(await runner.run(program, { what: 'pid' }, 'one')))
await runner.run({ ...program, wallMs: 2_000 }, { what: 'loop' }, 'one')
