import { RunFailure } from '#contract/check.ts'

/** Why a server accepted no mail. The reasons reveal neither our own network nor the server's text. */
export const smtpFailures = [
  'blocked',
  'dns',
  'connect',
  'timeout',
  'tls',
  'auth',
  'sender',
  'recipient',
  'refused',
  'protocol',
] as const
export type SmtpFailure = (typeof smtpFailures)[number]

/** An error of nodemailer's. */
interface MailerError extends Error {
  code?: unknown
  originalCode?: unknown
  command?: unknown
  responseCode?: unknown
  response?: unknown
}

export function failureOf(error: unknown): SmtpFailure {
  if (error instanceof RunFailure) return ofTheWay(error)
  if (!(error instanceof Error)) return 'protocol'
  const { code, originalCode, command }: MailerError = error
  switch (code) {
    case 'EABORT':
    case 'ETIMEDOUT':
      return 'timeout'
    case 'ETLS':
      return 'tls'
    case 'EAUTH':
    case 'ENOAUTH':
      return 'auth'
    case 'EENVELOPE':
      return command === 'MAIL FROM' ? 'sender' : command === 'DATA' ? 'refused' : 'recipient'
    case 'EMESSAGE':
      return 'refused'
    case 'ESOCKET':
      return /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO/.test(String(originalCode ?? '')) ? 'tls' : 'connect'
    case 'ECONNECTION':
    case 'EDNS':
      return 'connect'
    default:
      return error.name === 'AbortError' || error.name === 'TimeoutError' ? 'timeout' : 'protocol'
  }
}

function ofTheWay({ code, phase }: RunFailure): SmtpFailure {
  if (code === 'blocked') return 'blocked'
  if (phase === 'dns') return 'dns'
  if (code === 'timeout') return 'timeout'
  return code === 'tls_failed' ? 'tls' : 'connect'
}

/** Whether the server refuses this recipient permanently. */
export const isForGood = (error: unknown): boolean => failureOf(error) === 'recipient' && replyCodeOf(error) >= 500

/** Whether the server answers with a status 4xx: the same command may succeed later (RFC 5321, 4.2.1). */
export const isForNow = (error: unknown): boolean => {
  const code = replyCodeOf(error)
  return code >= 400 && code < 500
}

/**
 * Whether the server says that the recipient has no mailbox, or none that takes mail: a status 5.1.x or 5.2.x
 * (RFC 3463), else 550, 551 or 553. Not where it relays no mail, or refuses by a policy.
 */
export const hasNoMailbox = (error: unknown): boolean => {
  if (!(error instanceof Error) || !isForGood(error)) return false
  const { response }: MailerError = error
  const text = typeof response === 'string' ? response : ''
  const status = /^\d{3}[ -](5\.\d+\.\d+)/.exec(text)?.[1]
  // 5.1.7 and 5.1.8 are about the sender
  if (status !== undefined) return /^5\.[12]\./.test(status) && !/^5\.1\.[78]$/.test(status)
  return [550, 551, 553].includes(replyCodeOf(error)) && !/relay/i.test(text)
}

/** The status of the server's answer; 0 if there was none. */
function replyCodeOf(error: unknown): number {
  if (!(error instanceof Error)) return 0
  const { responseCode }: MailerError = error
  return typeof responseCode === 'number' ? responseCode : 0
}
