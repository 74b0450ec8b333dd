import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { First } from './migrations/0001-first.ts'
import { Monitors } from './migrations/0010-monitors.ts'
import { Reading } from './migrations/0020-reading.ts'
import { Pauses } from './migrations/0021-pauses.ts'
import { Terms } from './migrations/0040-terms.ts'
import { Changes } from './migrations/0041-changes.ts'
import { Resellers } from './migrations/0050-resellers.ts'
import { Teams } from './migrations/0051-teams.ts'
import { Lifecycles } from './migrations/0052-lifecycles.ts'
import { Tokens } from './migrations/0053-tokens.ts'
import { People } from './migrations/0054-people.ts'
import { Plans } from './migrations/0055-plans.ts'
import { Templates } from './migrations/0056-templates.ts'
import { Kernel } from './migrations/0057-kernel.ts'
import { Told } from './migrations/0058-told.ts'
import { CheckSecrets } from './migrations/0059-check-secrets.ts'
import { Alerting } from './migrations/0060-alerting.ts'
import { Post } from './migrations/0061-post.ts'
import { Words } from './migrations/0062-words.ts'
import { Noise } from './migrations/0063-noise.ts'
import { Order } from './migrations/0064-order.ts'
import { Warnings } from './migrations/0070-warnings.ts'
import { Heartbeats } from './migrations/0072-heartbeats.ts'
import { AgentMonitors } from './migrations/0074-agent-monitors.ts'
import { Crawls } from './migrations/0076-crawls.ts'
import { Simulations } from './migrations/0077-simulations.ts'
import { SiteMeasures } from './migrations/0078-site-measures.ts'
import { Months } from './migrations/0087-months.ts'
import { Totals } from './migrations/0089-totals.ts'
import { TeamPages } from './migrations/0095-team-pages.ts'
import { RestoreMarks } from './migrations/0098-restore-marks.ts'
import { IdentityChanges } from './migrations/0099-identity-changes.ts'
import { ClaimOutbox } from './migrations/0100-claim-outbox.ts'
import { TeamCrawls } from './migrations/0140-team-crawls.ts'

export const migrations = [
  { name: '0001-first', class: First },
  { name: '0010-monitors', class: Monitors },
  { name: '0020-reading', class: Reading },
  { name: '0021-pauses', class: Pauses },
  { name: '0040-terms', class: Terms },
  { name: '0041-changes', class: Changes },
  { name: '0050-resellers', class: Resellers },
  { name: '0051-teams', class: Teams },
  { name: '0052-lifecycles', class: Lifecycles },
  { name: '0053-tokens', class: Tokens },
  { name: '0054-people', class: People },
  { name: '0055-plans', class: Plans },
  { name: '0056-templates', class: Templates },
  { name: '0057-kernel', class: Kernel },
  { name: '0058-told', class: Told },
  { name: '0059-check-secrets', class: CheckSecrets },
  { name: '0060-alerting', class: Alerting },
  { name: '0061-post', class: Post },
  { name: '0062-words', class: Words },
  { name: '0063-noise', class: Noise },
  { name: '0064-order', class: Order },
  { name: '0070-warnings', class: Warnings },
  { name: '0072-heartbeats', class: Heartbeats },
  { name: '0074-agent-monitors', class: AgentMonitors },
  { name: '0076-crawls', class: Crawls },
  { name: '0077-simulations', class: Simulations },
  { name: '0078-site-measures', class: SiteMeasures },
  { name: '0087-months', class: Months },
  { name: '0089-totals', class: Totals },
  { name: '0095-team-pages', class: TeamPages },
  { name: '0098-restore-marks', class: RestoreMarks },
  { name: '0099-identity-changes', class: IdentityChanges },
  { name: '0100-claim-outbox', class: ClaimOutbox },
  { name: '0140-team-crawls', class: TeamCrawls },
]

export interface Migration {
  ownerUrl: string
  appPassword: string
  platformPassword: string
}

/** Makes the two service roles and brings the schema up to date, as the owner. Safe to run again and side by side. Answers the names of what was applied. */
export async function migrate({ ownerUrl, appPassword, platformPassword }: Migration): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // two processes may start at once: the second waits here and finds the work done
    await client.query(`select pg_advisory_lock(hashtext('vedette-migrate'))`)
    for (const [role, password] of [
      ['vedette_app', appPassword],
      ['vedette_platform', platformPassword],
    ] as const)
      await ensureRole(client, role, password)
    await client.query(`revoke create on schema public from public; grant usage on schema public to vedette_app, vedette_platform`)
    const orm = await MikroORM.init({
      clientUrl: ownerUrl,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: { migrationsList: migrations, tableName: 'schema_migrations', snapshot: false, allOrNothing: true, silent: true },
    })
    try {
      const applied = await orm.migrator.up()
      return applied.map(({ name }) => name)
    } finally {
      await orm.close()
    }
  } finally {
    await client.end()
  }
}

/** Roles belong to the whole server, so two databases' migrations may race for them. */
async function ensureRole(client: pg.Client, role: string, password: string): Promise<void> {
  const secret = client.escapeLiteral(password)
  await client.query(`do $$ begin
    create role ${role} login nosuperuser nobypassrls nocreatedb nocreaterole;
  exception when duplicate_object or unique_violation then null; end $$`)
  for (let attempt = 0; ; attempt++) {
    try {
      await client.query(`alter role ${role} with login nosuperuser nobypassrls password ${secret}`)
      return
    } catch (error) {
      if (attempt === 5 || !/concurrently updated/.test(String(error))) throw error
    }
  }
}

/** The start refuses a service role that could see past row security. */
export async function refusePowerfulRole(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ role: string; is_powerful: boolean; owned: string }>(`
      select current_user as role,
             (select rolsuper or rolbypassrls from pg_roles where rolname = current_user) as is_powerful,
             (select count(*) from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where n.nspname = 'public' and c.relkind = 'r' and pg_get_userbyid(c.relowner) = current_user) as owned`)
    const found = rows[0]
    if (found && (found.is_powerful || Number(found.owned) > 0))
      throw new Error(
        `The database role "${found.role}" is an owner, a superuser or may bypass row security. Give the service the roles that "vedette migrate" makes.`,
      )
  } finally {
    await client.end()
  }
}
