import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

const quiet = [
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'DialMediaRouteProvider',
  'InterestFeedContentSuggestions',
  'MediaRouter',
  'OptimizationHints',
  'Translate',
]

/**
 * All traffic goes through the proxy, loopback too, and the browser resolves no names: DNS, QUIC, WebRTC and background
 * requests of its own are disabled.
 */
export const argumentsFor = ({
  proxyPort,
  profile,
  sandbox,
}: {
  proxyPort: number
  profile: string
  sandbox: boolean
}): string[] => [
  '--headless=new',
  ...(sandbox ? [] : ['--no-sandbox']),
  '--remote-debugging-pipe',
  `--user-data-dir=${profile}`,
  `--disk-cache-dir=${profile}/cache`,
  '--disk-cache-size=67108864',
  `--proxy-server=http://127.0.0.1:${proxyPort}`,
  '--proxy-bypass-list=<-loopback>',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--disable-quic',
  '--dns-prefetch-disable',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-sync',
  '--disable-client-side-phishing-detection',
  '--disable-extensions',
  '--disable-component-extensions-with-background-pages',
  '--disable-breakpad',
  '--disable-crash-reporter',
  '--disable-dev-shm-usage',
  '--disable-gpu',
  '--disable-hang-monitor',
  '--disable-popup-blocking',
  '--disable-prompt-on-repost',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  `--disable-features=${quiet.join(',')}`,
  '--metrics-recording-only',
  '--mute-audio',
  '--hide-scrollbars',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--password-store=basic',
  '--use-mock-keychain',
  '--deny-permission-prompts',
  '--js-flags=--max-old-space-size=512',
  'about:blank',
]

/** Transport of the driver: messages ended by NUL on two pipes, so that no port listens. */
export interface Transport {
  send(message: string): void
  close(): void
  onmessage?: (message: string) => void
  onclose?: () => void
}

export function launch(path: string, args: readonly string[]): { program: ChildProcess; transport: Transport } {
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , into, from] = child.stdio as [null, null, null, Writable, Readable]
  let rest = ''
  const transport: Transport = {
    send: message => void into.write(`${message}\0`),
    close: () => child.kill('SIGKILL'),
  }
  into.on('error', () => undefined)
  from.setEncoding('utf8')
  from.on('data', (text: string) => {
    const messages = (rest + text).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) transport.onmessage?.(message)
  })
  from.on('close', () => transport.onclose?.())
  return { program: child, transport }
}
