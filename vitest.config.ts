import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of whole systems fill the machine with processes: they run after the rooms, whose tests then have it to themselves. */
const system = ['test/cli/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/journeys/**/*.test.ts']

/**
 * Temporal's native part lives once in a process: a second file that loads it brings the process down. Nor should others wait behind
 * connections to a database that is stopped.
 */
const alone = [
  'test/workflows/**/*.test.ts',
  'test/control-plane/kernel/frozen.test.ts',
  'test/control-plane/serve.test.ts',
  'test/control-plane/alerting/deliveries/kill.test.ts',
  'test/control-plane/alerting/mail/served.test.ts',
]

/** What takes minutes begins first, or the rest waits for it alone in the end. */
class LongestFirst extends BaseSequencer {
  static readonly #long = ['contract/fuzz', 'faults/lifecycles', 'faults/regions', 'faults/kill', 'authorization/matrix', 'managed-teams/purge']

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const index = LongestFirst.#long.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
      return index === -1 ? LongestFirst.#long.length : index
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // many tests wait rather than compute: on two cores three side by side leave neither idle
    maxWorkers: 3,
    maxConcurrency: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      // files of one worker share its modules, and with them one control plane: to import and start it for each took half of the time
      { extends: true, test: { name: 'rooms', include: ['test/**/*.test.ts'], exclude: [...system, ...alone], isolate: false, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'alone', include: alone, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'system', include: system, sequence: { groupOrder: 1 } } },
    ],
  },
})
