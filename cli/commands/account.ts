import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { z } from 'zod'
import { StartFault } from '#cli/fault.ts'
import type { OwnServices } from '#cli/serve/services.ts'
import { type Plan, plans } from '#contract/plans.ts'
import { slugOf } from '#contract/slug.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { firstPasswordDays, makePasswordLink, openAccount } from '#control-plane/reselling/tenants/open-account.ts'
import { readPasswordFile, refuseWeak } from './own-password.ts'
import { withServices } from './with-services.ts'

export interface AccountWanted {
  /** The address of an operator, or the name of a tenant. */
  operator?: string
  reseller?: string
  team?: string
  email?: string
  name?: string
  slug?: string
  plan?: string
  /** Slug or id of the reseller that manages the team. */
  under?: string
  passwordFile?: string
  link?: boolean
}

const usage = 'vedette account create --operator you@example.com'

/** Creates an operator, a reseller or a team with its owner, without signing in. */
export async function createAccount(env: NodeJS.ProcessEnv, wanted: AccountWanted): Promise<void> {
  const account = readWanted(wanted)
  await withServices(env, async services => {
    const password = wanted.link ? null : await readPassword(wanted.passwordFile, account.email)
    if (password !== null) {
      const { tenant, slug, name, email } = account
      await refuseWeak(services, password, [tenant, slug, name, email], 'or let its owner set it: --link')
    }
    const { tenantId, link } = await make(services, account, password)
    console.log(`${account.email}  ${account.what} "${account.tenant}" (${account.slug}, ${tenantId})`)
    if (link) console.log(`\n  Sets the password, once, within ${firstPasswordDays} days:\n  ${link}`)
    const tokenLine = account.what === 'reseller' ? `\n  A token: vedette token create --reseller ${account.slug}` : ''
    console.error(`\n  Sign in: POST ${services.config.baseUrl}/api/v1/auth/token${tokenLine}\n`)
  })
}

/** Prints a link by which a person sets a new password. It needs neither a sign-in nor mail. */
export async function resetPassword(env: NodeJS.ProcessEnv, email: string): Promise<void> {
  await withServices(env, async ({ platform, config }) => {
    const link = await inTransaction(platform, async client => {
      const [row] = await rows(client)<Row<'users', 'id'>>`
        select id from users where email = ${email} and email_verified_at is not null`
      return row && (await makePasswordLink(client, config.baseUrl, row.id))
    })
    if (!link)
      throw new StartFault(
        'config',
        `${email} has no account`,
        'A person is named by a confirmed e-mail address.',
        usage,
      )
    console.log(`${email}\n\n  Sets the password, once, within ${firstPasswordDays} days:\n  ${link.url}`)
  })
}

interface Account {
  what: 'operator' | 'reseller' | 'team'
  tenant: string
  slug: string
  plan: Plan
  isUnlimited: boolean
  email: string
  name: string
  under: string | null
}

function readWanted(wanted: AccountWanted): Account {
  const asked = (['operator', 'reseller', 'team'] as const).filter(what => wanted[what] !== undefined)
  const [what] = asked
  if (asked.length !== 1 || what === undefined)
    throw new StartFault(
      'config',
      'say what to create',
      'One of --operator EMAIL, --reseller NAME and --team NAME.',
      usage,
    )
  const email = what === 'operator' ? (wanted.operator ?? '') : (wanted.email ?? '')
  if (!z.email().max(255).safeParse(email).success)
    throw new StartFault(
      'config',
      email === '' ? 'whose account it is to be is not said' : `"${email}" is no e-mail address`,
      'An account is named by an e-mail address.',
      what === 'operator' ? usage : `vedette account create --${what} "${wanted[what]}" --email owner@example.com`,
    )
  if (wanted.under !== undefined && what !== 'team')
    throw new StartFault(
      'config',
      '--under is for teams',
      'It names the reseller that manages the team.',
      'vedette account create --team NAME --email … --under SLUG',
    )
  const tenant = (what === 'operator' ? 'Operators' : (wanted[what] ?? '')).trim()
  const slug = wanted.slug ?? slugOf(what === 'operator' ? `operators-${email.split('@')[0]}` : tenant, 100)
  if (tenant === '' || tenant.length > 255)
    throw new StartFault('config', `a ${what} needs a name`, 'A name has 1 to 255 characters.', usage)
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug) || slug.length > 100)
    throw new StartFault(
      'config',
      `"${slug}" cannot be a slug`,
      'A slug has lower-case letters, digits and single hyphens, 100 at most.',
      `vedette account create --${what} … --slug my-${what}`,
    )
  const under = wanted.under ?? null
  const named = wanted.plan ?? (under === null ? noPlan : 'free')
  if (named === noPlan && under !== null)
    throw new StartFault(
      'config',
      'a team of a reseller has a plan',
      `Only what no reseller manages can be ${noPlan}.`,
      `--plan ${plans.at(-1)}`,
    )
  const isUnlimited = named === noPlan
  const plan = isUnlimited ? (what === 'team' ? 'free' : 'pro') : readPlan(named)
  const name = wanted.name ?? email.split('@')[0]!
  return { what, tenant, slug, plan, isUnlimited, email, name, under }
}

/** In place of a plan: none binds the tenant. */
export const noPlan = 'unlimited'

export function readPlan(named: string): Plan {
  const plan = plans.find(known => known === named)
  if (plan) return plan
  throw new StartFault(
    'config',
    `there is no plan "${named}"`,
    `The plans are ${plans.join(', ')}; ${noPlan} is none of them.`,
    `--plan ${plans.at(-1)}`,
  )
}

const make = ({ platform, config }: OwnServices, account: Account, password: string | null) =>
  inTransaction(platform, async client => {
    const { what, tenant, slug, plan, isUnlimited, email, name, under } = account
    const opened = await openAccount(client, {
      name: tenant,
      slug,
      plan,
      isUnlimited,
      isReseller: what === 'reseller',
      owner: { email, name, language: 'en', password, isSuperAdmin: what === 'operator' },
    })
    if (opened === 'slug_taken')
      throw new StartFault(
        'config',
        `the slug "${slug}" is taken`,
        'Each tenant has one of its own.',
        `vedette account create --${what} … --slug ${slug}-2`,
      )
    if (opened === 'email_taken')
      throw new StartFault(
        'config',
        `${email} has an account`,
        'An account is made once; a person joins further teams by invitation.',
        'POST /api/v1/auth/password/forgot      sends a link that sets a new password',
      )
    const { tenantId, userId } = opened
    if (under !== null) {
      const [row] = await rows(client)<Row<'tenants', 'id'>>`
        select id from tenants where (slug = ${under} or id::text = ${under}) and is_reseller
        and deleted_at is null`
      if (!row)
        throw new StartFault(
          'config',
          `there is no reseller "${under}"`,
          'A reseller is named by its slug or its id.',
          'vedette account create --reseller NAME --email …',
        )
      await addManagedTeam(client, row.id, tenantId, null)
    }
    const link = password === null ? (await makePasswordLink(client, config.baseUrl, userId)).url : null
    return { tenantId, link }
  })

/** From a file (`-`: standard input), or typed twice without being shown. */
async function readPassword(file: string | undefined, email: string): Promise<string> {
  if (file !== undefined) return readPasswordFile(file, '--password-file FILE      or - for standard input')
  if (!process.stdin.isTTY)
    throw new StartFault(
      'config',
      'there is no password',
      'Standard input is no terminal to ask at.',
      '--password-file FILE      or - for standard input',
      '--link      prints a link that sets it',
    )
  const muted = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: muted, terminal: true })
  const askFor = async (words: string) => {
    process.stderr.write(words)
    const text = await terminal.question('')
    process.stderr.write('\n')
    return text
  }
  try {
    const password = await askFor(`Password for ${email}: `)
    if ((await askFor('Once more: ')) !== password)
      throw new StartFault(
        'config',
        'the two passwords differ',
        'It is asked twice because it is not shown.',
        'run it again',
      )
    return password
  } finally {
    terminal.close()
  }
}
