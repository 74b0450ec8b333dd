interface Protocol {
  name: string
  ports: readonly number[]
  /** Words that ask a server how it is and change nothing. */
  words: readonly string[]
  line: RegExp
}

/**
 * Protocols in which plain text is a command that any stranger may give: mail that a server passes on, keys that it keeps, sheets that it
 * prints. What a check sends comes from our addresses, so there it may only ask.
 */
const protocols: readonly Protocol[] = [
  {
    name: 'mail',
    ports: [25, 465, 587, 2525],
    words: ['EHLO name', 'HELO name', 'NOOP', 'HELP', 'QUIT'],
    line: /^(?:(?:EHLO|HELO|LHLO) [\w.-]{1,255}|NOOP|HELP|QUIT)$/i,
  },
  {
    name: 'FTP',
    ports: [21],
    words: ['NOOP', 'FEAT', 'SYST', 'HELP', 'QUIT'],
    line: /^(?:NOOP|FEAT|SYST|HELP|QUIT)$/i,
  },
  { name: 'Redis', ports: [6379, 6380], words: ['PING', 'INFO', 'QUIT'], line: /^(?:PING|INFO|QUIT)$/i },
  { name: 'memcached', ports: [11_211], words: ['version', 'stats', 'quit'], line: /^(?:version|stats|quit)$/i },
  { name: 'Telnet', ports: [23], words: [], line: /^$/ },
  { name: 'IRC', ports: [6667], words: [], line: /^$/ },
  { name: 'printers', ports: [515, 9100], words: [], line: /^$/ },
]

/** Why this text may not be sent to this port, or null. */
export function refuseSend({ port, send }: { port: number; send: string | null }): string | null {
  const protocol = send === null ? undefined : protocols.find(({ ports }) => ports.includes(port))
  if (!protocol || send === null) return null
  const { name, words, line } = protocol
  if (send.split(/\r\n|\n|\r/).every(text => text === '' || line.test(text))) return null
  const allowed = words.length > 0 ? `only ${words.join(', ')} may be sent, one to a line` : 'nothing may be sent'
  return `Port ${port} is for ${name}: ${allowed}.`
}
