import { z } from 'zod'
import { ipVersion, port, timeoutMs } from '#checks/settings.ts'
import { checkKind, type Judgement } from '#contract/check.ts'
import { stamp, wholeDaysUntil } from '#contract/time.ts'
import { maxChain, type Weakness, weaknessCodes } from './chain.ts'
import { defaultSteps } from './ladder.ts'

const time = z.iso.datetime().meta({ format: 'date-time' })
const name = z.string().max(500)
const short = z.string().max(60)

export const ssl = checkKind({
  name: 'ssl',
  summary: 'The certificate is trusted, names the host and does not expire soon',
  uptimeRank: 5,
  offered: { website: 'default', host: 'possible', needs: 'tls' },
  every: { default: 3600, min: 60 },
  severity: 'major',
  settings: z.object({
    port: port
      .nullable()
      .default(null)
      .meta({ description: 'Port that speaks TLS. `null`: the port of the https URL, else 443.' }),
    warn_days: z
      .array(z.int().min(1).max(365))
      .min(1)
      .max(10)
      .nullish()
      // not stored as null: agents of before know no null here
      .overwrite(days => days ?? undefined)
      .meta({
        description:
          'Days before the end at which to warn. `null`, or none: once the renewal is overdue (a third of the life ' +
          'left, less a tenth of that; of ten days or fewer a half), then at a sixth of the life, three days and one.',
      }),
    ip_version: ipVersion,
    timeout_ms: timeoutMs,
  }),
  backtestable: ['warn_days'],
  seen: z.object({
    issuer: name,
    subject: name,
    /** Names in the certificate, the first hundred. */
    names: z.array(z.string().max(260)).max(100),
    valid_from: time,
    valid_to: time,
    days_left: z.int(),
    fingerprint: z.string().max(100).meta({ description: 'SHA-256 of the certificate.' }),
    protocol: z.string().max(40).nullable(),
    cipher: z.string().max(100).nullable(),
    /** Whether the certificate is valid for the host. */
    matches_host: z.boolean(),
    /** Why the chain is not trusted, apart from dates; null when it is trusted. */
    chain_error: z.string().max(100).nullable(),
    serial: z.string().max(64).nullable().default(null),
    chain_problem: z
      .enum(['self_signed', 'incomplete', 'expired_link', 'untrusted'])
      .nullable()
      .default(null)
      .meta({
        description:
          '`incomplete`: a certificate is missing between it and a trusted authority. `expired_link`: one between ' +
          'them is out of date.',
      }),
    missing_link: name
      .nullable()
      .default(null)
      .meta({ description: 'The certificate the server should have sent too.' }),
    chain: z
      .array(z.object({ subject: name, issuer: name, not_after: time, key: short, signature: short }))
      .max(maxChain)
      .default([])
      .meta({ description: 'The certificates the server sent, its own first.' }),
    weaknesses: z
      .array(z.object({ code: z.enum(weaknessCodes), subject: name, what: short }))
      .max(2 * maxChain)
      .default([])
      .meta({
        description: 'Keys and signatures that are no longer safe: RSA below 2048 bits, curves below 224, MD5, SHA-1.',
      }),
  }),

  judge(seen, settings, { at }) {
    const from = new Date(seen.valid_from)
    const to = new Date(seen.valid_to)
    if (at >= to)
      return { status: 'down', code: 'certificate_expired', reason: `The certificate expired on ${day(to)}.` }
    if (at < from)
      return {
        status: 'down',
        code: 'certificate_not_yet_valid',
        reason: `The certificate is valid only from ${day(from)}.`,
      }
    if (!seen.matches_host)
      return { status: 'down', code: 'certificate_wrong_host', reason: 'The certificate is not made for this host.' }
    const problem = seen.chain_problem && chainProblems[seen.chain_problem]
    if (problem) return { status: 'down', ...problem(seen) }
    if (seen.chain_error)
      return {
        status: 'down',
        code: 'certificate_untrusted',
        reason: `The certificate is not trusted (${seen.chain_error}).`,
      }
    const days = wholeDaysUntil(to, at)
    const depth = settings.warn_days
      ? settings.warn_days.filter(step => days <= step).length
      : defaultSteps(to.getTime() - from.getTime()).filter(step => to.getTime() - at.getTime() <= step).length
    if (depth === 0) return judgeStrength(seen.weaknesses)
    return {
      status: 'warning',
      code: 'ssl_expiring',
      reason: `The certificate expires ${days === 0 ? 'today' : days === 1 ? 'in 1 day' : `in ${days} days`}.`,
      event: 'warning.ssl_expiring',
      depth,
      details: { days_remaining: days, valid_to: stamp(to), issuer: seen.issuer },
    }
  },

  responseMs: (_, phases) => phases.tls,

  changeDetection: {
    snapshot: z.object({
      fingerprint: z.string(),
      serial: z.string().nullable().default(null),
      issuer: z.string(),
      valid_from: time,
      valid_to: time,
    }),
    snapshotOf: ({ fingerprint, serial, issuer, valid_from, valid_to, matches_host, chain_error, chain_problem }) =>
      matches_host && !chain_error && !chain_problem ? { fingerprint, serial, issuer, valid_from, valid_to } : null,
    // a server pool may still serve an older certificate: returning to it is no renewal
    changesBetween: (before, after) =>
      after.fingerprint !== before.fingerprint && after.valid_from > before.valid_from
        ? [
            {
              name: 'certificate.renewed',
              payload: {
                issuer: after.issuer,
                valid_to: stamp(new Date(after.valid_to)),
                fingerprint: after.fingerprint,
                serial: after.serial,
                previous_fingerprint: before.fingerprint,
                previous_serial: before.serial,
                previous_issuer: before.issuer,
                previous_valid_to: stamp(new Date(before.valid_to)),
              },
            },
          ]
        : [],
  },
})

const chainProblems = {
  self_signed: () => ({ code: 'certificate_self_signed', reason: 'The certificate is self-signed.' }),
  incomplete: ({ missing_link }: { missing_link: string | null }) => ({
    code: 'certificate_chain_incomplete',
    reason:
      `The server does not send the certificate of ${missing_link ?? 'its issuer'}, so not everybody can ` +
      'trust its own.',
  }),
  expired_link: () => ({
    code: 'certificate_chain_expired',
    reason: 'A certificate the server sends with its own has expired.',
  }),
  untrusted: ({ chain_error }: { chain_error: string | null }) => ({
    code: 'certificate_untrusted',
    reason: `The certificate is not trusted (${chain_error ?? 'its authority is unknown'}).`,
  }),
}

function judgeStrength(weaknesses: readonly Weakness[]): Judgement {
  const [worst] = weaknesses
  if (!worst) return { status: 'up' }
  const what = worst.code === 'weak_key' ? 'a weak key' : 'a weak signature'
  return {
    status: 'warning',
    code: `certificate_${worst.code}`,
    reason: `The certificate of ${worst.subject || 'the server'} has ${what} (${worst.what}).`,
  }
}

const day = (date: Date) => date.toISOString().slice(0, 10)
