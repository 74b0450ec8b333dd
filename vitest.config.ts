import { defineConfig } from 'vitest/config'

/** Tests of whole systems fill the machine with processes: they run after the rooms, whose tests then have it to themselves. */
const system = ['test/cli/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/faults/**/*.test.ts', 'test/journeys/**/*.test.ts']

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    setupFiles: ['test/support/environment.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
    projects: [
      { extends: true, test: { name: 'rooms', include: ['test/**/*.test.ts'], exclude: system, sequence: { groupOrder: 0 } } },
      { extends: true, test: { name: 'system', include: system, sequence: { groupOrder: 1 } } },
    ],
  },
})
