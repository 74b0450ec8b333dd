import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { getCompileCacheDir } from 'node:module'
import { setPriority, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { shownUrl } from '#checks/http/get.ts'
import { parseWebUrl } from '#checks/http/send.ts'
import type { Probe } from '#checks/probe.ts'
import { noPhases, RunFailure } from '#contract/check.ts'
import { ForwardProxy } from '#egress/forward-proxy.ts'
import { AuditReply, type AuditRequest, killGroup } from './audit-messages.ts'
import { argumentsFor } from './browser.ts'
import { type Found, nothingFound } from './findings.ts'
import type { lighthouse } from './kind.ts'
import { findParts } from './parts.ts'

/** Most bytes a page may load, ten times what heavy pages do. */
const bounds = { maxBytes: 100_000_000, maxSockets: 64, idleMs: 20_000 }
const maxLoadMs = 45_000
/** An audit has a lower CPU priority than other runs. */
const niceness = 5
/** For what Chromium’s start script calls. */
const folders = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** Lighthouse’s codes when the page answered with an error, and when it did not answer. */
const answered = 'ERRORED_DOCUMENT_REQUEST'
const unanswered = new Set([
  'FAILED_DOCUMENT_REQUEST',
  'DNS_FAILURE',
  'CHROME_INTERSTITIAL_ERROR',
  'NO_DOCUMENT_REQUEST',
])

/** One audit by Lighthouse in a new, empty Chromium that is deleted afterwards and whose only way out is the guard. */
export const probeLighthouse: Probe<typeof lighthouse> = async (...run) => {
  try {
    return await audit(...run)
  } catch (error) {
    if (error instanceof RunFailure) throw error
    // the page is reached by way of the proxy alone, whose failures are known: this one is of the agent's machine
    throw new RunFailure('internal', 'request', 'The audit could not be made.', { cause: error })
  }
}

const audit: Probe<typeof lighthouse> = async (target, settings, { guard, signal, browser = {} }) => {
  const url = parseWebUrl(target.url)
  const { sandbox, ...parts } = findParts(browser)
  const start = performance.now()
  const profile = await mkdtemp(join(tmpdir(), 'vedette-audit-'))
  const proxy = await ForwardProxy.open(guard, bounds)
  try {
    const reply = await make(
      {
        ...parts,
        url: url.href,
        arguments: argumentsFor({ proxyPort: proxy.port, profile, sandbox }),
        profile,
        formFactor: settings.form_factor,
        categories: settings.categories,
        loadMs: Math.min(maxLoadMs, settings.audit_seconds * 500),
      },
      signal,
    )
    const found =
      'found' in reply
        ? reply.found
        : nothingFound(url.href, tooMuch('TOO_MUCH_MEMORY', 'it takes more than 1.5 GB of memory.'))
    const error = proxy.isFull ? tooMuch('TOO_MANY_BYTES', 'it loads more than 100 MB.') : found.error
    if (error) refuse(url, found, error.code, proxy)
    const seen = {
      ...found,
      url: shownUrl(found.url || url.href),
      form_factor: settings.form_factor,
      bytes: proxy.bytes,
      blocked: proxy.refused,
      browser: 'browser' in reply ? reply.browser : '',
      error,
    }
    return { seen, phases: { ...noPhases, total: performance.now() - start } }
  } finally {
    await proxy.close()
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}

const tooMuch = (code: string, message: string) => ({ code, message })

/** Why the page did not load, in the terms of the other probes. */
function refuse(url: URL, found: Found, code: string, proxy: ForwardProxy): void {
  const end = URL.parse(found.url) ?? url
  const isUnanswered = unanswered.has(code)
  const failure =
    isUnanswered || code === answered
      ? (proxy.failureOf(url) ?? proxy.failureOf(end) ?? (isUnanswered ? proxy.refusal : undefined))
      : undefined
  if (failure) throw failure
  if (code === 'INSECURE_DOCUMENT_REQUEST')
    throw new RunFailure('tls_failed', 'tls', 'The browser does not trust the certificate.')
  if (code === 'FAILED_DOCUMENT_REQUEST')
    throw new RunFailure('protocol', 'first_byte', 'The browser was not given the page.')
}

type Done = Exclude<AuditReply, { failed: string }>

/** Runs the audit in a process with neither our environment nor our home folder, and always ends it. */
function make(request: AuditRequest, signal: AbortSignal): Promise<Done> {
  const compiled = getCompileCacheDir()
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--max-old-space-size=512', join(import.meta.dirname, 'audit.ts')],
      {
        detached: true,
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
        env: {
          PATH: folders,
          HOME: request.profile,
          TMPDIR: request.profile,
          ...(compiled && { NODE_COMPILE_CACHE: dirname(compiled) }),
        },
      },
    )
    const end = (settle: () => void) => {
      signal.removeEventListener('abort', late)
      if (child.pid) killGroup(child.pid)
      settle()
    }
    const fail = (code: 'overloaded' | 'internal', why: string) =>
      end(() => reject(new RunFailure(code, 'request', why)))
    const late = () => fail('overloaded', 'The audit did not end in the time it is given.')
    child.on('error', () => fail('internal', 'The audit could not be started.'))
    child.on('exit', () => fail('internal', 'The audit ended without a result.'))
    child.on('message', message => {
      const reply = AuditReply.safeParse(message).data
      if (!reply || 'failed' in reply)
        return fail('internal', reply ? reply.failed : 'The result of the audit is invalid.')
      end(() => resolve(reply))
    })
    if (signal.aborted) return late()
    signal.addEventListener('abort', late)
    if (child.pid) setPriority(child.pid, niceness)
    child.send(request, () => undefined)
  })
}
