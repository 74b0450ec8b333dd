import { Migrator } from '@mikro-orm/migrations'
import { MikroORM } from '@mikro-orm/postgresql'
import pg from 'pg'
import { TimeoutClient } from './base/patience.ts'
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
import { CoverageSince } from './migrations/0110-coverage-since.ts'
import { Quarantine } from './migrations/0115-quarantine.ts'
import { DeadEvents } from './migrations/0116-dead-events.ts'
import { EmailReverts } from './migrations/0120-email-reverts.ts'
import { ProvenAddresses } from './migrations/0121-proven-addresses.ts'
import { Guesses } from './migrations/0122-guesses.ts'
import { MailRecipients } from './migrations/0123-mail-recipients.ts'
import { ColumnRights } from './migrations/0124-column-rights.ts'
import { RetiredRegions } from './migrations/0125-retired-regions.ts'
import { Suspension } from './migrations/0130-suspension.ts'
import { ClosedMails } from './migrations/0131-closed-mails.ts'
import { MailedTo } from './migrations/0135-mailed-to.ts'
import { TeamCrawls } from './migrations/0140-team-crawls.ts'
import { ensureRole, missingRight, refuseNames, refuseOtherRoles, usualRoles } from './roles.ts'

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
  { name: '0110-coverage-since', class: CoverageSince },
  { name: '0115-quarantine', class: Quarantine },
  { name: '0116-dead-events', class: DeadEvents },
  { name: '0120-email-reverts', class: EmailReverts },
  { name: '0121-proven-addresses', class: ProvenAddresses },
  { name: '0122-guesses', class: Guesses },
  { name: '0123-mail-recipients', class: MailRecipients },
  { name: '0124-column-rights', class: ColumnRights },
  { name: '0125-retired-regions', class: RetiredRegions },
  { name: '0130-suspension', class: Suspension },
  { name: '0131-closed-mails', class: ClosedMails },
  { name: '0135-mailed-to', class: MailedTo },
  { name: '0140-team-crawls', class: TeamCrawls },
]

export interface Migration {
  ownerUrl: string
  appPassword: string
  platformPassword: string
  /** The names of the two roles, where they are not the usual ones. */
  appRole?: string
  platformRole?: string
}

/** Makes the two service roles and brings the schema up to date, as the owner. Safe to run again and side by side. Answers the names of what was applied. */
export async function migrate({ ownerUrl, appPassword, platformPassword, ...names }: Migration): Promise<string[]> {
  const roles = { app: names.appRole ?? usualRoles.app, platform: names.platformRole ?? usualRoles.platform }
  refuseNames(decodeURIComponent(new URL(ownerUrl).username), roles)
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    // two processes may start at once: the second waits here and finds the work done
    await client.query(`select pg_advisory_lock(hashtext('vedette-migrate'))`)
    await ensureRole(client, ownerUrl, { name: roles.app, password: appPassword })
    await ensureRole(client, ownerUrl, { name: roles.platform, password: platformPassword })
    await client.query(
      `revoke create on schema public from public; grant usage on schema public to ${roles.app}, ${roles.platform}`,
    )
    // a temporary table would stand before the real one of its name
    await client.query(
      `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`,
    )
    const orm = await MikroORM.init({
      clientUrl: ownerUrl,
      entities: [],
      discovery: { warnWhenNoEntities: false },
      extensions: [Migrator],
      migrations: {
        migrationsList: migrations.map(migration => withRoles(migration, roles)),
        tableName: 'schema_migrations',
        snapshot: false,
        allOrNothing: true,
        silent: true,
      },
    })
    try {
      const applied = await orm.migrator.up()
      await refuseOtherRoles(client, roles)
      return applied.map(({ name }) => name)
    } finally {
      await orm.close()
    }
  } catch (error) {
    throw missingRight(error, ownerUrl) ?? error
  } finally {
    await client.end()
  }
}

type Listed = (typeof migrations)[number]

/** A migration whose grants and policies are for roles of these names. */
function withRoles(
  { name, class: Usual }: Listed,
  { app, platform }: typeof usualRoles,
): { name: string; class: typeof Usual } {
  if (app === usualRoles.app && platform === usualRoles.platform) return { name, class: Usual }
  return {
    name,
    class: class extends Usual {
      override addSql(sql: Parameters<InstanceType<typeof Usual>['addSql']>[0]): void {
        if (typeof sql !== 'string') throw new Error(`${name} is not written as text, so its roles cannot be named.`)
        super.addSql(sql.replace(/\bvedette_app\b/g, app).replace(/\bvedette_platform\b/g, platform))
      }
    },
  }
}

/** The start refuses a service role that could see past row security. */
export async function refusePowerfulRole(url: string): Promise<void> {
  const client = new TimeoutClient({ connectionString: url })
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
