/** Hosts of a URL that lead inside, in every spelling we could think of. The test adds the port. */
export function innerSpellings(): string[] {
  return [...new Set([...loopbackV4(), ...privateV4(), ...carriedV4(), ...innerV6(), ...innerNames()])]
}

/** Inside addresses that the rest is made of. */
const inner = [
  '127.0.0.1',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '168.63.129.16',
]

const bytesOf = (address: string) => address.split('.').map(Number) as [number, number, number, number]
const numberOf = (address: string) => bytesOf(address).reduce((sum, byte) => sum * 256 + byte, 0)
const hex = (number: number, width = 0) => number.toString(16).padStart(width, '0')
const octal = (number: number, width = 0) => `0${number.toString(8).padStart(width, '0')}`
const groupsOf = (address: string) => {
  const [a, b, c, d] = bytesOf(address)
  return `${hex(a * 256 + b)}:${hex(c * 256 + d)}`
}
const wide = (text: string) =>
  [...text].map(letter => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)).join('')

/** One address, as `inet_aton` and browsers read it. */
function spellingsOf(address: string): string[] {
  const [a, b, c, d] = bytesOf(address)
  const number = numberOf(address)
  return [
    address,
    `${address}.`,
    String(number),
    `0x${hex(number)}`,
    `0X${hex(number, 8).toUpperCase()}`,
    octal(number),
    [a, b, c, d].map(byte => `0x${hex(byte)}`).join('.'),
    [a, b, c, d].map(byte => octal(byte)).join('.'),
    [a, b, c, d].map(byte => octal(byte, 8)).join('.'),
    `0x${hex(a)}.${b}.${octal(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${b * 65_536 + c * 256 + d}`,
    `0x${hex(a)}.0x${hex(b * 65_536 + c * 256 + d)}`,
    wide(address),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '%2e'),
    [...address].map(letter => `%${hex(letter.charCodeAt(0), 2)}`).join(''),
  ]
}

const loopbackV4 = () => [
  ...spellingsOf('127.0.0.1'),
  '127.1',
  '127.0.1',
  '127.127.127.127',
  '127.255.255.255',
  '0',
  '0x0',
  '00',
  '0.0',
  '0.1.2.3',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '１２７.0.0.1',
]

const privateV4 = () => [
  ...inner.slice(1).flatMap(spellingsOf),
  '10.255.255.255',
  '172.31.255.255',
  '192.168.255.255',
  '169.254.0.1',
  '100.127.255.255',
  '100.100.100.200',
  '192.0.0.1',
  '192.0.0.192',
  '192.0.2.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '192.88.99.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
]

/** An IPv4 address within an IPv6 one. */
const carriedV4 = () =>
  inner.flatMap(address => {
    const groups = groupsOf(address)
    const [first, second] = groups.split(':')
    return [
      `[::ffff:${address}]`,
      `[::ffff:${groups}]`,
      `[0:0:0:0:0:ffff:${groups}]`,
      `[0000:0000:0000:0000:0000:FFFF:${address}]`,
      `[::${address}]`,
      `[::${groups}]`,
      `[::ffff:0:${groups}]`,
      `[64:ff9b::${groups}]`,
      `[64:ff9b::${address}]`,
      `[64:ff9b:1::${groups}]`,
      `[2002:${groups}::1]`,
      `[2002:${groups}::]`,
      `[2001:0:${groups}::1]`,
      `[2001::${hex(0xffff - Number.parseInt(first ?? '0', 16))}:${hex(0xffff - Number.parseInt(second ?? '0', 16))}]`,
      `[::5efe:${groups}]`,
      `[fe80::5efe:${groups}]`,
      `[2606:4700::5efe:${groups}]`,
      `[2606:4700::200:5efe:${groups}]`,
    ]
  })

const innerV6 = () =>
  [
    '::1',
    '0:0:0:0:0:0:0:1',
    '::0001',
    '::',
    '0::0',
    'fc00::1',
    'fd00::1',
    'fd00:ec2::254',
    'fdff:ffff::1',
    'fe80::1',
    'febf::1',
    'fec0::1',
    'feff::1',
    'ff01::1',
    'ff02::1',
    'ff0e::1',
    '100::1',
    '100:0:0:1::1',
    '1::1',
    '4000::1',
    '5f00::1',
    '8000::1',
    '2001:db8::1',
    '2001:2::1',
    '2001:10::1',
    '2001:20::1',
    '2001:1::1',
    '3fff::1',
    '64:ff9b:1:ffff::1',
  ].map(address => `[${address}]`)

const innerNames = () => [
  'localhost',
  'LOCALHOST',
  'LocalHost.',
  'localhost.localdomain',
  'foo.localhost',
  'a.b.localhost.',
  'ｌｏｃａｌｈｏｓｔ',
  'loc%61lhost',
  'ⓛocalhost',
  'ip6-localhost',
  'metadata.google.internal',
  'metadata.google.internal.',
  'METADATA.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
]

/** Whole URLs that parsers disagree about, or that no one should follow. */
export const hostileUrls = (port: number) => [
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}/`,
  `http:/\\127.0.0.1:${port}/`,
  `http:///127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `ht\ntp://127.0.0.1:${port}/`,
  `http://127.0.0\t.1:${port}/`,
  ` http://127.0.0.1:${port}/ `,
  `http://example.com:pw@127.0.0.1:${port}/`,
  `http://example.com@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://example.com:80@127.0.0.1:${port}/`,
  'file:///etc/passwd',
  'data:text/html,x',
  'ftp://example.com/',
  'gopher://example.com/',
  'javascript:alert(1)',
  'blob:http://example.com/x',
  'http://',
  'http://[',
  'http://[::1',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://exa mple.com/',
  '//127.0.0.1/',
  'example.com',
  '',
]
