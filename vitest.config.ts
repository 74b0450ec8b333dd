import { globSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * What a file's name says before `.test.ts`:
 * - `gate`: `npm run gate` runs it and `npm test` leaves it out: floods, guesses, fuzzing, programs of others.
 * - `slow`: of the gate, and takes minutes. It begins first, or the rest waits for it in the end.
 * - `patient`: of the gate, a whole system that mostly waits. It begins first, and the others run beside it.
 * - `long`: waits for most of twenty seconds and more. It begins early, one beside others that compute: in a row these
 *   would leave the processor idle, and at the end all would wait for the last.
 * - `system`: starts whole systems, which fill the machine with processes. It runs after the others.
 * - `alone`: needs a process of its own: it stops a store, or loads Temporal's native part, which lives once in one.
 *
 * All of `faults` is of the gate and a system, all of `journeys` a system, all of `workflows` alone.
 */
const says = (file: string, ...words: string[]) => words.some(word => file.includes(`.${word}.`))
const isIn = (file: string, ...folders: string[]) => folders.some(folder => file.includes(`test/${folder}/`))
const isOfGate = (file: string) => says(file, 'gate', 'slow', 'patient') || isIn(file, 'faults')

const kinds = ['alone', 'modules', 'patient', 'system'] as const
function kindOf(file: string): (typeof kinds)[number] {
  if (says(file, 'patient')) return 'patient'
  if (says(file, 'alone') || isIn(file, 'workflows')) return 'alone'
  return says(file, 'system') || isIn(file, 'faults', 'journeys') ? 'system' : 'modules'
}

/** One of so many files is a long one, until all have begun. */
const longEvery = 12

/** Files of one kind come in a row: a worker whose next file is of another kind ends, and to start one costs seconds. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      says(moduleId, 'slow', 'patient') ? -1 : kinds.indexOf(kindOf(moduleId))
    const all = (await super.sort(files)).sort((a, b) => place(a) - place(b))
    const sorted = all.filter(({ moduleId }) => !says(moduleId, 'long'))
    const long = all.filter(({ moduleId }) => says(moduleId, 'long'))
    for (const [n, file] of long.entries()) sorted.splice((n + 1) * longEvery, 0, file)
    return sorted
  }
}

/** `vedette test` and `vedette gate` name their suite; without one, as when files are named, every test can run. */
const suite = process.env.SUITE
const files = globSync('test/**/*.test.ts').filter(file => suite === undefined || isOfGate(file) === (suite === 'gate'))
const include = (kind: (typeof kinds)[number]) => files.filter(file => kindOf(file) === kind)

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/environment.ts'],
    // Node reads the sources as they are: to transform them took ten seconds of a run, and two of each worker
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // less than a second's allocations of a test between two collections
    execArgv: ['--max-semi-space-size=64'],
    // bounds of what never comes, not of what is slow: a busy machine takes several times as long
    testTimeout: 90_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    // many tests wait rather than compute: on two cores four side by side leave neither idle, beside the one that waits for ten minutes
    maxWorkers: 5,
    maxConcurrency: 2,
    sequence: { sequencer: SlowFirst },
    projects: [
      // files of one worker share its modules, and with them one control plane: to import and start it for each took half of the time
      {
        extends: true,
        test: { name: 'modules', include: include('modules'), isolate: false, sequence: { groupOrder: 0 } },
      },
      { extends: true, test: { name: 'alone', include: include('alone'), sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'patient', include: include('patient'), sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: { name: 'system', include: include('system'), maxWorkers: 3, sequence: { groupOrder: 1 } },
      },
    ],
  },
})
