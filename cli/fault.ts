import { ConfigError } from '#contract/config-error.ts'

/** Exit codes for programs that start us. */
export const exitCodes = { failed: 1, config: 2, dependency: 3, migration: 4 } as const

/** A failed start: what happened, why, and commands that help. */
export class StartFault extends Error {
  override readonly name = 'StartFault'
  readonly code: number
  readonly why: string
  readonly fixes: string[]

  constructor(code: keyof typeof exitCodes, what: string, why: string, ...fixes: string[]) {
    super(what)
    this.code = exitCodes[code]
    this.why = why
    this.fixes = fixes
  }
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** Explains a failure of a part that we depend on; undefined for an unexpected error. */
export function explain(error: unknown): StartFault | undefined {
  if (error instanceof StartFault) return error
  if (error instanceof ConfigError)
    return new StartFault(
      'config',
      'the configuration cannot be used',
      error.problems.join('\n          '),
      `vedette ${process.argv[2] ?? ''} --help`,
    )
  const {
    code,
    message = '',
    address,
    port,
  } = error as { code?: string; message?: string; address?: string; port?: number }
  const place = address ? ` at ${address}${port ? `:${port}` : ''}` : ''
  switch (code) {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
      return new StartFault(
        'dependency',
        `a store${place} cannot be reached`,
        message || code,
        'vedette doctor',
        'npm start      brings stores of its own',
      )
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartFault('dependency', 'the name of a store is not known', message, 'vedette doctor')
    case '28P01':
    case '28000':
      return new StartFault(
        'dependency',
        'PostgreSQL does not let us in',
        `${message}.`,
        'psql "$DATABASE_URL" -c "select 1"',
        'vedette migrate      sets the passwords of the service’s roles',
      )
    case '3D000':
      return new StartFault(
        'dependency',
        'the database does not exist',
        `${message}.`,
        'create database vedette owner vedette_owner;      as a superuser of PostgreSQL',
        'then vedette migrate',
      )
    case '42P01':
    case '42703':
    case '42883':
      return new StartFault('migration', 'the database is not up to date', `${message}.`, 'vedette migrate')
    case 'ENOSPC':
    case '53100':
      return new StartFault('dependency', 'the disk is full', `${message}.`, 'df -h')
    case 'EADDRINUSE':
      return new StartFault(
        'config',
        `the address${place} is taken`,
        'Another process listens there.',
        `PORT=${(port ?? 8_080) + 1} vedette serve`,
        `ss -ltnp "sport = :${port ?? 8_080}"      shows who listens`,
      )
    case 'EADDRNOTAVAIL':
      return new StartFault(
        'config',
        `this machine has no address${place.replace(' at', '')}`,
        'HOST and METRICS_HOST name addresses of this machine.',
        'HOST=127.0.0.1 vedette serve',
      )
    case 'EACCES':
    case 'EROFS':
      return new StartFault(
        'config',
        'a file or a port may not be used',
        `${message}.`,
        'ls -ld .data',
        'ports below 1024 need rights of their own: PORT=8080',
      )
    default:
      return
  }
}
