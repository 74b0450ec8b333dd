interface Protocol {
  name: string
  ports: readonly number[]
  /** Commands that query a server and change nothing. */
  commands: readonly string[]
  line: RegExp
}

/**
 * Protocols in which plain text from any client is a command: mail to relay, keys to store, pages to print. A check
 * sends from our addresses, so it may only send queries.
 */
const protocols: readonly Protocol[] = [
  {
    name: 'mail',
    ports: [25, 465, 587, 2525],
    commands: ['EHLO name', 'HELO name', 'NOOP', 'HELP', 'QUIT'],
    line: /^(?:(?:EHLO|HELO|LHLO) [\w.-]{1,255}|NOOP|HELP|QUIT)$/i,
  },
  {
    name: 'FTP',
    ports: [21],
    commands: ['NOOP', 'FEAT', 'SYST', 'HELP', 'QUIT'],
    line: /^(?:NOOP|FEAT|SYST|HELP|QUIT)$/i,
  },
  { name: 'Redis', ports: [6379, 6380], commands: ['PING', 'INFO', 'QUIT'], line: /^(?:PING|INFO|QUIT)$/i },
  { name: 'memcached', ports: [11_211], commands: ['version', 'stats', 'quit'], line: /^(?:version|stats|quit)$/i },
  { name: 'Telnet', ports: [23], commands: [], line: /^$/ },
  { name: 'IRC', ports: [6667], commands: [], line: /^$/ },
  { name: 'printers', ports: [515, 9100], commands: [], line: /^$/ },
]

/** Why this text may not be sent to this port, or null. */
export function refuseSend({ port, send }: { port: number; send: string | null }): string | null {
  const protocol = send === null ? undefined : protocols.find(({ ports }) => ports.includes(port))
  if (!protocol || send === null) return null
  const { name, commands, line } = protocol
  if (send.split(/\r\n|\n|\r/).every(text => text === '' || line.test(text))) return null
  const allowed = commands.length > 0 ? `only ${commands.join(', ')} may be sent, one to a line` : 'nothing may be sent'
  return `Port ${port} is for ${name}: ${allowed}.`
}
