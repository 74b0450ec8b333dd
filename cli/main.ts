import { Command, InvalidArgumentError, Option } from 'commander'
import { build } from '#contract/version.ts'
import { keepSmallAtRest } from './at-rest.ts'
import { exitCodes, explain, messageOf, StartFault } from './fault.ts'
import { environmentOf } from './local/locked-folder.ts'

// Modules are imported where a command needs them: `vedette probe` carries no database, `vedette up` no ORM.

const port = (text: string) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 0 || value > 65_535)
    throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}
const list = (text: string) =>
  text
    .split(',')
    .map(entry => entry.trim())
    .filter(Boolean)
const days = (text: string) => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 3_650)
    throw new InvalidArgumentError('Days are a number from 1 to 3650.')
  return value
}
const wholeDays = (text: string) => (text === '0' ? 0 : days(text))
const hours = (text: string) => {
  const value = Number(text)
  if (!(value > 0) || value > 8_760) throw new InvalidArgumentError('Hours are a number above 0, up to 8760.')
  return value
}
const tokenName = (text: string) => {
  if (text.length < 1 || text.length > 255) throw new InvalidArgumentError('A name has 1 to 255 characters.')
  return text
}

/** Without an address of PostgreSQL the role pages serves its folder alone. */
const hasStores = ({ DATABASE_URL, DATABASE_URL_FILE }: NodeJS.ProcessEnv) => Boolean(DATABASE_URL || DATABASE_URL_FILE)

const dataOption = () => new Option('--data <dir>', 'data folder of the start to work with').default('.data')

// a closed output must not end the service
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

/** Prints what is wrong with the words of a command as every other failure is printed. */
function misuse(text: string): string {
  const [what = '', ...rest] = text
    .replace(/^error: /, '')
    .trim()
    .split('\n')
  const isUnknown = what.startsWith('unknown command')
  const [, meant] = /^\(Did you mean (?:one of )?(.+)\?\)$/m.exec(rest.join('\n')) ?? []
  const commands = program.commands.filter(command => !('_hidden' in command && command._hidden))
  const whys = meant
    ? [`Did you mean ${meant}?`]
    : isUnknown
      ? [`The commands are ${commands.map(command => command.name()).join(', ')}.`]
      : ['The command line was not understood.']
  const [first] = meant?.split(', ') ?? []
  const types = [...(first && isUnknown ? [`vedette ${commandBefore(what)}${first}`] : []), 'vedette --help']
  const asked = process.argv[2]
  const named = commands.find(command => command.name() === asked)
  if (named && !isUnknown) types.unshift(`vedette ${named.name()} --help`)
  const lines = [`  failed  ${what}`, ...whys.map(why => `  why     ${why}`), ...types.map(type => `  type    ${type}`)]
  return `\n${lines.join('\n')}\n\n`
}

/** The command to which an unknown one was given: `account ` of `account crate`. */
function commandBefore(what: string): string {
  const [, word = ''] = /'(.+)'/.exec(what) ?? []
  const words = process.argv.slice(2)
  const before = words.slice(0, Math.max(0, words.indexOf(word)))
  return before.map(each => `${each} `).join('')
}

const program = new Command('vedette')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : exitCodes.config))
  .description('An open, multi-tenant uptime service with a reseller layer.')
  .version(build)
  .configureOutput({ outputError: (text, write) => write(misuse(text)) })
  .configureHelp({ sortSubcommands: false })
  .addHelpText(
    'after',
    `
Examples:
  npm start                                   everything on this machine, data in .data
  npm start -- --port 9000 --data /srv/vedette
  npm start --silent -- --json                one JSON event a line, for programs (without --silent npm adds lines)
  DATABASE_URL=postgres://… npm start         your PostgreSQL, the rest embedded
  vedette serve --role api                    one role, stores by environment
  vedette probe                               an agent for one region, by environment

Exit codes: 1 failed, 2 configuration, 3 something it depends on, 4 migration.`,
  )

program
  .command('up')
  .description(
    'start everything: stores, control plane and an agent for each region; what is done where no command is named',
  )
  .option('--data <dir>', 'where keys, accounts, databases and logs are kept', '.data')
  .option('--port <n>', 'port of the API; the next free one if it is taken', port, 8080)
  .option('--regions <a,b,c>', 'one agent is started for each', list)
  .option('--small', 'for a small machine: one region, whose agent runs inside the control plane')
  .option('--json', 'one JSON event a line instead of text')
  .option('--demo', 'fill a sample reseller with 90 days of data')
  .option('--temporal-ui', 'start the Web UI of Temporal too, which has no sign-in (or TEMPORAL_UI=on)')
  .action(async ({ data, port, regions, small, json, demo, temporalUi }) => {
    const { up, defaultRegions } = await import('./local/up.ts')
    keepSmallAtRest()
    await up({
      data,
      port,
      regions: regions ?? (small ? defaultRegions.slice(0, 1) : defaultRegions),
      isSmall: Boolean(small),
      isJson: Boolean(json),
      withDemo: Boolean(demo),
      withTemporalUi: Boolean(temporalUi) || /^(1|on|true|yes)$/i.test(process.env.TEMPORAL_UI ?? ''),
    })
    process.exit(0)
  })

program
  .command('dev')
  .description('start everything from the sources: the app with hot reload, and a new start of what changes')
  .option('--data <dir>', 'where keys, accounts, databases and logs are kept', '.data')
  .option('--port <n>', 'port of the app and the API', port, 8080)
  .option('--regions <a,b,c>', 'one agent is started for each', list)
  .option('--inspect', 'let a debugger attach to the control plane, at port 9229')
  .option('--json', 'one JSON event a line instead of text')
  .option('--demo', 'fill a sample reseller with 90 days of data')
  .action(async ({ data, port, regions, inspect, json, demo }) => {
    const { up, defaultRegions } = await import('./local/up.ts')
    await up({
      data,
      port,
      regions: regions ?? defaultRegions.slice(0, 1),
      isSmall: false,
      isJson: Boolean(json),
      withDemo: Boolean(demo),
      withTemporalUi: true,
      isDevelopment: true,
      isInspected: Boolean(inspect),
    })
    process.exit(0)
  })

program
  .command('serve')
  .description('run the control plane, or some of its roles, with the stores named by the environment')
  .option('--role <roles>', 'comma list of api, ingest, worker, pages', list)
  .addOption(new Option('--agent', 'run the agent of AGENT_REGION in this process').hideHelp())
  .action(async ({ role, agent }) => {
    const [{ serve, serveRoles }, { readConfig }] = await Promise.all([
      import('./serve/serve.ts'),
      import('#control-plane/config.ts'),
    ])
    const unknown = (role ?? []).filter((name: string) => !serveRoles.some(known => known === name))
    if (unknown.length > 0)
      throw new StartFault(
        'config',
        `there is no role "${unknown.join('", "')}"`,
        'The roles are api, ingest, worker and pages.',
        'vedette serve --role api,ingest',
      )
    keepSmallAtRest()
    if (role?.join() === 'pages' && !hasStores(process.env)) {
      const [{ servePages }, { readPagesConfig }] = await Promise.all([
        import('./serve/pages.ts'),
        import('#control-plane/config.ts'),
      ])
      await servePages(readPagesConfig())
      process.exit(0)
    }
    await serve({
      roles: role ? serveRoles.filter(name => role.includes(name)) : serveRoles,
      config: readConfig(),
      hasAgent: Boolean(agent),
    })
    process.exit(0)
  })

program
  .command('build')
  .description('bundle the program, build the app in the browser, and print its folder (WEB_FOLDER for servers of it)')
  .action(async () => {
    const { buildWeb } = await import('./local/web.ts')
    console.log((await buildWeb()).folder)
  })

program
  .command('probe')
  .description('run the agent of one region (VEDETTE_URL, REGION, DATA_DIR, and ENROLMENT_TOKEN once)')
  .action(async () => {
    const [{ runAgent }, { readConfig }, { auditPlaces }] = await Promise.all([
      import('#probe-agent/main.ts'),
      import('#probe-agent/config.ts'),
      import('./local/lighthouse.ts'),
    ])
    keepSmallAtRest()
    await runAgent(readConfig({ ...process.env, ...auditPlaces() }))
    process.exit(0)
  })

program
  .command('agent')
  .description('report metrics of this server with the token of an agent monitor (vedette agent --help)')
  .allowUnknownOption()
  .allowExcessArguments()
  .helpOption(false)
  .action(async () => {
    const { runServerAgent } = await import('#server-agent/main.ts')
    process.exit(await runServerAgent(process.argv.slice(process.argv.indexOf('agent') + 1)))
  })

program
  .command('agent-token')
  .description('tokens with which agents enrol')
  .addCommand(
    new Command('create')
      .description('create a token to enrol an agent, once')
      .option('--region <region>', 'for this region only')
      .option('--new', 'the region is a new one')
      .option('--reusable', 'for all agents of the region, any number of times: for pods, which may lose their volume')
      .option('--days <n>', 'after how many days it ends; by default 7, a reusable one 365', days)
      .addOption(dataOption())
      .action(async ({ region, new: isNew, reusable, days, data }) => {
        const { createAgentToken } = await import('./commands/agent-token.ts')
        const wanted = { region: region ?? null, isNew: Boolean(isNew), isReusable: Boolean(reusable), days }
        await createAgentToken(environmentFor(data), wanted)
      }),
  )
  .addCommand(
    new Command('revoke')
      .description('end all tokens of a region; agents that have enrolled go on')
      .requiredOption('--region <region>', 'the region')
      .addOption(dataOption())
      .action(async ({ region, data }) => {
        const { revokeAgentTokens } = await import('./commands/agent-token.ts')
        await revokeAgentTokens(environmentFor(data), region)
      }),
  )

const account = program.command('account').description('accounts of operators, resellers and teams')

account
  .command('create')
  .description('create an operator, a reseller or a team with its owner; the password is asked for')
  .option('--operator <email>', 'a person who runs this installation and may enter every tenant')
  .option('--reseller <name>', 'a tenant that creates and manages teams')
  .option('--team <name>', 'a tenant of its own')
  .option('--email <email>', 'the owner of the reseller or the team')
  .option('--name <name>', 'what the owner is called; by default the part of the address before the @', tokenName)
  .option('--slug <slug>', 'short name of the tenant; by default made of its name')
  .option(
    '--plan <plan>',
    'free, hobby, starter, pro or unlimited; by default free for a team of a reseller, else unlimited',
  )
  .option('--under <slug>', 'the reseller that manages the team')
  .option('--password-file <file>', 'take the password from a file, or from standard input with -')
  .option('--link', 'print a link that sets the password, instead of asking for one')
  .addOption(dataOption())
  .addHelpText(
    'after',
    `
Examples:
  vedette account create --operator you@example.com
  vedette account create --reseller "Northwind Hosting" --email rae@northwind.example --link
  vedette account create --team "Acme" --email ada@acme.example --plan starter --under northwind-hosting`,
  )
  .action(async ({ data, ...wanted }) => {
    const { createAccount } = await import('./commands/account.ts')
    await createAccount(environmentFor(data), wanted)
  })

account
  .command('plan')
  .description('give a tenant another plan, or none: it applies at once')
  .argument('<tenant>', 'its slug or id')
  .argument('<plan>', 'free, hobby, starter or pro; unlimited for none, unless a reseller manages the team')
  .addOption(dataOption())
  .action(async (tenant, plan, { data }) => {
    const { changePlan } = await import('./commands/account-plan.ts')
    await changePlan(environmentFor(data), { tenant, plan })
  })

program
  .command('reset-password')
  .description('print a link that sets a new password for a person, once')
  .argument('<email>', 'the address of the person')
  .addOption(dataOption())
  .action(async (email, { data }) => {
    const { resetPassword } = await import('./commands/account.ts')
    await resetPassword(environmentFor(data), email)
  })

program
  .command('setup-link')
  .description('print a link that makes the operator and the first team of a new installation; an earlier one ends')
  .addOption(dataOption())
  .action(async ({ data }) => {
    const { printSetupLink } = await import('./commands/set-up.ts')
    await printSetupLink(environmentFor(data))
  })

program
  .command('set-up')
  .description('make the operator and the first team without a browser; once: run again it changes nothing')
  .addOption(dataOption())
  .addOption(new Option('--json').hideHelp())
  .addHelpText(
    'after',
    `
Environment, which npm start reads too:
  SETUP_EMAIL           the operator's address
  SETUP_PASSWORD_FILE   a file that holds the operator's password
  SETUP_NAME            what the operator is called; by default the part of the address before the @
  SETUP_TEAM            the name of the first team; by default that of the operator`,
  )
  .action(async ({ data }) => {
    const { setUpFromEnvironment } = await import('./commands/set-up.ts')
    await setUpFromEnvironment(environmentFor(data))
  })

program
  .command('token')
  .description('tokens for the automation of resellers')
  .command('create')
  .description('create a reseller token; it is shown once')
  .requiredOption('--reseller <slug>', 'slug or id of the reseller')
  .option('--person <email>', 'one of its owners or administrators, in whose name it acts; by default the first owner')
  .option('--name <name>', 'what it is called in lists', tokenName, 'Command line')
  .option('--scopes <a,b,c>', 'what it may do; by default everything', list)
  .option('--days <n>', 'after how many days it ends; by default never', days)
  .addOption(dataOption())
  .action(async ({ data, reseller, person, name, scopes, days }) => {
    const { createResellerToken } = await import('./commands/token.ts')
    await createResellerToken(environmentFor(data), {
      reseller,
      person: person ?? null,
      name,
      scopes: scopes ?? null,
      days: days ?? null,
    })
  })

program
  .command('migrate')
  .description('bring both stores up to date (DATABASE_OWNER_URL, DATABASE_URL, DATABASE_PLATFORM_URL, CLICKHOUSE_URL)')
  .addOption(dataOption())
  .addHelpText(
    'after',
    `
Four addresses, of one database in PostgreSQL and one in ClickHouse:
  DATABASE_OWNER_URL     the role that owns the database; used by this command alone
  DATABASE_URL           the role of the API, which owns nothing and is bound by row security
  DATABASE_PLATFORM_URL  the role of ingest, dispatch and token lookup, which owns nothing either
  CLICKHOUSE_URL         over HTTP, with user, password and a database of its own

The roles of DATABASE_URL and DATABASE_PLATFORM_URL are created, with the passwords in these addresses, if the owner
has CREATEROLE; otherwise this command prints the statements for an administrator. Two installations on one server
need two roles each: roles belong to the whole server, and one that another database uses is never changed. As a
superuser, once:

  create role vedette_owner login createrole password '…';
  create database vedette owner vedette_owner;

It may be run again at any time, beside the service, and by several processes at once. docs/operate.md says more.`,
  )
  .action(async ({ data }) => {
    const { migrateStores, storesIn } = await import('./local/prepare.ts')
    const applied = await asMigration(migrateStores(storesIn(environmentFor(data))))
    console.log(
      applied.length > 0
        ? applied.map(name => `applied ${name}`).join('\n')
        : 'nothing to apply: both stores are up to date',
    )
  })

program
  .command('backup')
  .description('write PostgreSQL and ClickHouse into a new folder, while the service runs or not')
  .argument('[folder]', 'where the backup is made; it must not be there yet')
  .option(
    '--base <backup>',
    'write of ClickHouse what is new since this whole backup, which lies beside; else all of it',
  )
  .option('--into <folder>', 'make the next backup of a series in this folder, named by the time')
  .option('--every <hours>', 'with --into: make one every so many hours, until it is stopped', hours)
  .option('--whole <days>', 'with --into: make a whole one when the last is so many days old; 0: always', wholeDays, 7)
  .option('--keep <days>', 'with --into: delete those that are older and not needed by younger ones', days, 35)
  .option('--with-keys', 'put SECRET_KEY inside too; only in an encrypted backup')
  .option('--note', 'make none: note that one was made now by other means')
  .addOption(dataOption())
  .addHelpText(
    'after',
    `
Environment:
  BACKUP_KEY_FILE           a file with the key that encrypts the backup, of 20 characters at least
  CLICKHOUSE_BACKUP_DISK    the disk of your own ClickHouse that it writes backups to; "backups" by default
  CLICKHOUSE_BACKUP_FOLDER  the folder of that disk, where it is on this machine: the archive goes into the backup`,
  )
  .action(async (folder, { base, into, every, whole, keep, withKeys, note, data }) => {
    const { backup, backupInto, noteOtherBackup } = await import('./commands/backup.ts')
    const options = { dataDir: data, withKeys: Boolean(withKeys) }
    if (note) return noteOtherBackup(data)
    if (into && !folder && !base)
      return backupInto(into, { ...options, everyHours: every ?? null, wholeEveryDays: whole, keepDays: keep })
    if (!folder || into || every)
      throw new StartFault(
        'config',
        'a backup is made in one folder, or in a series',
        '--every belongs to --into; --base to a folder.',
        'vedette backup /backups/monday',
        'vedette backup --into /backups',
      )
    await backup(folder, { ...options, base: base ?? null })
  })

program
  .command('restore')
  .description('restore a backup into empty stores, erase teams purged since, and compare counts and audit trails')
  .argument('<folder>', 'the backup')
  .option('--purged <file...>', 'lists of purged teams, beside the one that lies beside the backup')
  .option('--without-key', 'go on where the SECRET_KEY of the backup is lost: stored secrets stay unreadable')
  .addOption(dataOption())
  .addHelpText(
    'after',
    `
Environment: BACKUP_KEY_FILE, CLICKHOUSE_BACKUP_DISK and CLICKHOUSE_BACKUP_FOLDER as for vedette backup, and the four
addresses of vedette migrate for stores of your own. Without them embedded stores are made in --data.`,
  )
  .action(async (folder, { withoutKey, purged, data }) => {
    const { restore } = await import('./commands/restore.ts')
    await restore(folder, { dataDir: data, isKeyLost: Boolean(withoutKey), purgedLists: purged ?? [] })
  })

const apiOptions = (command: Command) =>
  command
    .option('--url <address>', 'where Vedette is (or VEDETTE_URL)')
    .option('--token-file <file>', 'a file with a token of the team (or VEDETTE_TOKEN, VEDETTE_TOKEN_FILE)')

apiOptions(program.command('import'))
  .description('move monitors from another provider, or all of an export, into a team, through the API')
  .argument('[file]', 'the file of a provider that is read from one')
  .option('--source <name>', 'the provider; by default known by its file')
  .option('--account <name>', 'distinguishes two accounts of one provider', '')
  .option('--base-url <address>', 'where the API of the provider is, if not at its usual address')
  .option('--key-file <file>', 'a file with the key of the provider (or SOURCE_KEY, SOURCE_KEY_FILE)')
  .option(
    '--ping-key-file <file>',
    'a file with the ping key of Healthchecks (or SOURCE_PING_KEY, SOURCE_PING_KEY_FILE)',
  )
  .option('--plan', 'show what would become of each record, and write nothing; what is done by default')
  .option('--apply', 'import what the plan shows: the monitors are disabled until the shadow begins')
  .addHelpText(
    'after',
    `
Examples:
  vedette import kuma.db --plan
  vedette import kuma.db --apply
  SOURCE_KEY_FILE=key vedette import --source uptimerobot --plan

Sources: uptime-kuma, uptimerobot, healthchecks, better-stack, pingdom, statuscake, oh-dear, openstatus,
statuspage, gatus, blackbox-exporter, vedette, csv. What each carries over is in docs/migrations.md.`,
  )
  .action(async (file, { url, tokenFile, ...wanted }) => {
    const [{ apiFrom }, { importFrom }] = await Promise.all([
      import('./commands/api.ts'),
      import('./commands/import.ts'),
    ])
    const isApplied = wanted.apply === true && wanted.plan !== true
    const api = apiFrom(process.env, { url, tokenFile })
    process.exitCode = await importFrom(api, { ...wanted, file, isApplied }, { env: process.env })
  })

apiOptions(program.command('export'))
  .description('write what a team has made, without secrets, as a file that vedette import reads')
  .option('--output <file>', 'where it is written; by default to standard output')
  .addOption(new Option('--format <format>', 'how it is written').choices(['json', 'yaml']).default('json'))
  .action(async ({ url, tokenFile, output, format }) => {
    const [{ apiFrom }, { exportTo }] = await Promise.all([import('./commands/api.ts'), import('./commands/export.ts')])
    await exportTo(apiFrom(process.env, { url, tokenFile }), { format, output: output ?? null })
  })

program
  .command('prepare', { hidden: true })
  .option('--regions <a,b,c>', '', list, [])
  .option('--enrol <a,b,c>', '', list, [])
  .option('--seed')
  .action(async ({ regions, enrol, seed }) => {
    const { prepare, storesIn } = await import('./local/prepare.ts')
    console.log(
      JSON.stringify(
        await asMigration(prepare({ ...storesIn(process.env), regions, enrols: enrol, seeds: Boolean(seed) })),
      ),
    )
  })

program
  .command('demo')
  .description('fill a sample reseller: five teams, 40 monitors of sample sites, 90 days of results, one of everything')
  .option('--remove', 'delete the sample teams and their people instead')
  .addOption(dataOption())
  .action(async ({ data, remove }) => {
    const { demo, removeDemo } = await import('./local/demo/demo.ts')
    await (remove ? removeDemo : demo)(environmentFor(data))
  })

program
  .command('lighthouse')
  .description('what agents need to audit pages')
  .command('install')
  .description('bring Lighthouse into a folder of its own in the cache, where agents find it')
  .option('--with-browser', 'bring a Chromium too (Linux on x64, 280 MB); without it one must be installed')
  .action(async ({ withBrowser }) => {
    const { installLighthouse } = await import('./local/lighthouse.ts')
    await installLighthouse({ withBrowser: Boolean(withBrowser) })
  })

program
  .command('audit')
  .description('the audit trails, whose entries are chained')
  .addCommand(
    new Command('verify')
      .description('find what was edited, deleted, added or cut; exit code 1 if anything was')
      .option('--tenant <id>', 'this tenant’s trail only')
      .option('--heads <file>', 'lines of `vedette audit heads`, or of the log, that were kept elsewhere')
      .addOption(dataOption())
      .action(async ({ data, tenant, heads }) => {
        const { verifyAudit } = await import('./commands/audit.ts')
        process.exitCode = await verifyAudit(environmentFor(data), { tenant, heads })
      }),
  )
  .addCommand(
    new Command('heads')
      .description('print the head of each trail, to be kept where it cannot be changed')
      .addOption(dataOption())
      .action(async ({ data }) => {
        const { printAuditHeads } = await import('./commands/audit.ts')
        await printAuditHeads(environmentFor(data))
      }),
  )

program
  .command('openapi')
  .description('print the OpenAPI document')
  .option('--write', 'write it to contract/openapi.json, and what the app knows of kinds beside it')
  .action(async ({ write }) => {
    const { openapi } = await import('./commands/openapi.ts')
    openapi({ isWritten: Boolean(write) })
  })

program
  .command('docs')
  .description('print the documentation of the configuration')
  .option('--write', 'write it to docs/configuration.md')
  .action(async ({ write }) => {
    const { docs } = await import('./commands/docs.ts')
    docs({ isWritten: Boolean(write) })
  })

program
  .command('test')
  .description('obtain what tests need, then run them; everything after it goes to vitest')
  .allowUnknownOption()
  .helpOption(false)
  .argument('[filters...]')
  .action(async (_filters, _options, command: Command) => {
    const { runTests } = await import('./commands/test.ts')
    process.exitCode = await runTests(command.args, 'test')
  })

program
  .command('gate')
  .description('the tests that take longer than `test` may: fault runs, long watches, fuzzing')
  .action(async () => {
    const { runTests } = await import('./commands/test.ts')
    process.exitCode = await runTests([], 'gate')
  })

program
  .command('bench')
  .description('measure what is claimed about speed; names one of bench/, or all')
  .allowUnknownOption()
  .argument('[name]')
  .argument('[args...]')
  .action(async (name, args) => {
    const { runBenches } = await import('./local/programs.ts')
    process.exitCode = await runBenches(name, args)
  })

program
  .command('faults')
  .description('the long fault runs: kill, disconnect and overload processes, then count losses')
  .allowUnknownOption()
  .argument('[args...]')
  .action(async args => {
    const { runFaults } = await import('./local/programs.ts')
    process.exitCode = await runFaults(args)
  })

program
  .command('doctor')
  .description('examine this machine and the parts that run on it; what is wrong comes first')
  .option('--json', 'one JSON object with findings: title, state (bad, optional or good), words')
  .addOption(dataOption())
  .action(async ({ data, json }) => {
    const { doctor } = await import('./commands/doctor.ts')
    process.exitCode = await doctor(data, { isJson: Boolean(json) })
  })

/** The help of a command. It loads the settings of a process only when it is requested. */
async function helpOf(name: string | undefined): Promise<string> {
  const lines = (settings: { name: string; description: string }[]) =>
    `\nEnvironment:\n${settings.map(({ name, description }) => `  ${name.padEnd(24)} ${description}`).join('\n')}\n`
  if (name === 'serve') {
    const { environmentTable } = await import('#control-plane/config.ts')
    const table = lines(environmentTable.map(({ name, description }) => ({ name, description })))
    return `${table}\nNAME_FILE names a file that holds the value.`
  }
  if (name !== 'probe') return ''
  const { agentSettings } = await import('#probe-agent/config.ts')
  return lines(Object.entries(agentSettings).map(([name, { description }]) => ({ name, description })))
}

/** The environment, completed by that of the `up` that runs on the data folder. */
function environmentFor(dataDir: string): NodeJS.ProcessEnv {
  if (process.env.DATABASE_URL) return process.env
  const running = environmentOf(dataDir)
  if (!running)
    throw new StartFault(
      'config',
      `nothing runs on ${dataDir}`,
      'This command works with running stores: those of a start, or those the environment names.',
      'npm start',
      'or name them: DATABASE_URL=… DATABASE_PLATFORM_URL=… CLICKHOUSE_URL=…      as docs/operate.md says',
    )
  return { ...process.env, ...running }
}

async function asMigration<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof StartFault) throw error
    throw new StartFault(
      'migration',
      'the migration failed',
      messageOf(error),
      'nothing of the failed step was kept; mend the cause and run it again',
    )
  }
}

/** Prints what happened, why, and commands that help; an unexpected error is printed whole. */
function printFault(error: unknown): never {
  const isJson = process.argv.includes('--json')
  const fault = explain(error)
  const [what, why, fixes, code] = fault
    ? [fault.message, fault.why, fault.fixes, fault.code]
    : ['something that should not happen', messageOf(error), ['vedette doctor'], exitCodes.failed]
  if (isJson) console.log(JSON.stringify({ event: 'failed', at: new Date().toISOString(), what, why, fixes, code }))
  if (!fault) console.error(error)
  console.error(`\n  failed  ${what}\n  why     ${why}${fixes.map(fix => `\n  type    ${fix}`).join('')}\n`)
  process.exit(code)
}

// commands that were made apart print errors as the others do
for (const command of program.commands) for (const inner of command.commands) inner.copyInheritedSettings(program)

// a default command would take a misspelled one for its argument
const isAboutAll = (word: string) => ['--help', '-h', '--version', '-V', 'help'].includes(word)
const [, , asked] = process.argv
if (asked === undefined || (asked.startsWith('-') && !isAboutAll(asked))) process.argv.splice(2, 0, 'up')
if (process.argv.some(word => word === '--help' || word === '-h')) {
  const help = await helpOf(asked)
  if (help) program.commands.find(command => command.name() === asked)?.addHelpText('after', help)
}

await program.parseAsync().catch(printFault)
