import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests of whole systems fill the machine with processes: they run after the rooms, whose tests then have it to themselves. */
const system = ['test/cli/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/journeys/**/*.test.ts']

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
      { extends: true, test: { name: 'rooms', include: ['test/**/*.test.ts'], exclude: system, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'system', include: system, sequence: { groupOrder: 1 } } },
    ],
  },
})
