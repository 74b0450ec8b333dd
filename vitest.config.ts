import { globSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What `npm run gate` runs and `npm test` leaves out: faults, floods, guesses, long watches, fuzzing, the matrix of access. */
const gate = [
  'test/cli/commands/backup.test.ts',
  'test/cli/install.test.ts',
  'test/cli/local/demo.test.ts',
  'test/cli/local/detached.test.ts',
  'test/cli/local/dev.test.ts',
  'test/cli/local/given.test.ts',
  'test/cli/local/output.test.ts',
  'test/cli/local/own-ports.test.ts',
  'test/cli/local/own-stores.test.ts',
  'test/cli/local/set-up.test.ts',
  'test/cli/local/small.test.ts',
  'test/cli/local/temporal-later.test.ts',
  'test/faults/**/*.test.ts',
  'test/contract/blocked.test.ts',
  'test/contract/client.test.ts',
  'test/contract/fuzz.test.ts',
  'test/analytics/kills.test.ts',
  'test/authorization/row-security.test.ts',
  'test/checks/lighthouse/audit.test.ts',
  'test/control-plane/alerting/deliveries/kill.test.ts',
  'test/control-plane/alerting/dispatch/every-alert.test.ts',
  'test/control-plane/identity/pages/accessibility.test.ts',
  'test/control-plane/publishing/status-pages/accessibility.test.ts',
  'test/control-plane/publishing/status-pages/subscribers/kill.test.ts',
  'test/control-plane/base/frozen.test.ts',
  'test/control-plane/base/pgbouncer.test.ts',
  'test/control-plane/db/fail-over.test.ts',
  'test/deploy/images.test.ts',
  'test/control-plane/alerting/mail/pictures.test.ts',
  'test/control-plane/http/slow-sockets.test.ts',
  'test/control-plane/tracing.test.ts',
  'test/control-plane/identity/pages/browser.test.ts',
  'test/control-plane/identity/sso/browser.test.ts',
  'test/control-plane/publishing/reports/hostile-texts.test.ts',
  'test/authorization/walk.test.ts',
  'test/authorization/matrix.test.ts',
  'test/control-plane/access/scim/two-processes.test.ts',
  'test/control-plane/access/tokens/two-processes.test.ts',
  'test/control-plane/alerting/mail/served.test.ts',
  'test/control-plane/alerting/threats.test.ts',
  'test/control-plane/engine/agents/fairness.test.ts',
  'test/control-plane/engine/state/walk.test.ts',
  'test/control-plane/http/shared-rate.test.ts',
  'test/control-plane/identity/pages/enumeration.test.ts',
  'test/control-plane/identity/sessions/{enumeration,flood,guesses}.test.ts',
  'test/control-plane/access/tokens/{at-once,timing}.test.ts',
  'test/control-plane/passive/servers/expensive-bodies.test.ts',
  'test/control-plane/monitoring/maintenance-windows/watch.test.ts',
  'test/control-plane/publishing/status-pages/browser.test.ts',
  'test/probe-agent/fairness.test.ts',
  'test/checks/{expensive-input,hostile}.test.ts',
  'test/control-plane/reselling/managed-teams/purge.test.ts',
  'test/control-plane/tenancy/team-states/team-states.test.ts',
  'test/control-plane/billing/stripe.test.ts',
  'test/journeys/escalation.test.ts',
  'test/journeys/notifications.test.ts',
  'test/journeys/provisioning.test.ts',
  'test/workflows/{billing,grace-and-invitations,snooze-end,team-purge,trial}.test.ts',
  'test/web/{console,maintenance,migrations,monitors,on-call,settings,shell}.test.ts',
  'test/web/every-route.test.ts',
  'test/web/hostile-text.test.ts',
  'test/web/keyboard.test.ts',
  'test/probe-agent/faults.test.ts',
]

/** Whole systems that mostly wait, for days made short, for ten minutes or for a program of another language: the rooms' tests run beside them. */
const patient = [
  'test/contract/blocked.test.ts',
  'test/contract/fuzz.test.ts',
  'test/faults/agent-flood.test.ts',
  'test/faults/deliveries.test.ts',
  'test/faults/lifecycles.test.ts',
  'test/faults/postgres-kills.test.ts',
  'test/deploy/images.test.ts',
  'test/faults/regions.test.ts',
  'test/journeys/provisioning.test.ts',
  'test/journeys/notifications.test.ts',
]

/** Tests of whole systems fill the machine with processes: they run after the rooms, whose tests then have it to themselves. */
const system = [
  'test/cli/**/*.test.ts',
  'test/contract/**/*.test.ts',
  'test/faults/**/*.test.ts',
  'test/journeys/**/*.test.ts',
]

/**
 * Temporal's native part lives once in a process: a second file that loads it brings the process down. Nor should others wait behind
 * connections to a database that is stopped.
 */
const alone = [
  'test/workflows/**/*.test.ts',
  'test/control-plane/base/frozen.test.ts',
  'test/control-plane/db/fail-over.test.ts',
  'test/control-plane/serve.test.ts',
  'test/control-plane/alerting/deliveries/kill.test.ts',
  'test/control-plane/publishing/status-pages/subscribers/kill.test.ts',
  'test/control-plane/alerting/mail/served.test.ts',
]

/**
 * What takes minutes begins first, or the rest waits for it alone in the end. What shares its worker comes in one row: a worker whose
 * next file is of another project ends, and to start the next one costs seconds.
 */
class LongestFirst extends BaseSequencer {
  static readonly #long = [
    'faults/regions',
    'contract/blocked',
    'deploy/images',
    'web/every-route',
    'contract/fuzz',
    'faults/lifecycles',
    'probe-agent/faults',
    'authorization/matrix',
    'authorization/walk',
    'web/keyboard',
    'web/hostile-text',
    'web/monitors',
    'http/slow-sockets',
    'managed-teams/purge',
    'analytics/kills',
    'faults/agent-flood',
    'faults/away',
    'faults/shards',
    'commands/backup',
    'faults/soak',
    'faults/kill',
    'serve/shard-leases',
    'local/up',
    'journeys/outage',
  ]
  static readonly #projects = ['alone', 'rooms', 'patient', 'system']

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { long, projects } = { long: LongestFirst.#long, projects: LongestFirst.#projects }
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = long.findIndex(name => moduleId.endsWith(`/${name}.test.ts`))
      return index === -1 ? long.length + projects.indexOf(project.name) : index
    }
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

/** `vedette test` and `vedette gate` name their suite; without one, as when files are named, every test can run. */
const suite = process.env.SUITE
const isAmong = (patterns: readonly string[]) => (file: string) => patterns.some(pattern => matchesGlob(file, pattern))
const files = globSync('test/**/*.test.ts').filter(
  file => suite === undefined || isAmong(gate)(file) === (suite === 'gate'),
)
const kinds = Map.groupBy(files, file => {
  if (isAmong(alone)(file)) return 'alone'
  if (isAmong(patient)(file)) return 'patient'
  return isAmong(system)(file) ? 'system' : 'rooms'
})
const include = (kind: 'alone' | 'patient' | 'system' | 'rooms') => kinds.get(kind) ?? []

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
    sequence: { sequencer: LongestFirst },
    projects: [
      // files of one worker share its modules, and with them one control plane: to import and start it for each took half of the time
      {
        extends: true,
        test: { name: 'rooms', include: include('rooms'), isolate: false, sequence: { groupOrder: 0 } },
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
