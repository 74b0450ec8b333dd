export const subjectKinds = ['ipv4', 'ipv6', 'domain'] as const
export type SubjectKind = (typeof subjectKinds)[number]

export const listIds = [
  'spamhaus_zen',
  'spamhaus_dbl',
  'spamcop',
  'barracuda',
  'psbl',
  'uceprotect_1',
  'mailspike',
  'dronebl',
  'blocklist_de',
  's5h',
  'surbl',
  'uribl',
] as const
export type ListId = (typeof listIds)[number]

export interface BlockList {
  id: ListId
  name: string
  zone: string
  lists: readonly SubjectKind[]
  /** The meaning of each answer; or, for lists that combine meanings, of each bit of its last octet. */
  codes?: Readonly<Record<string, string>>
  bits?: Readonly<Record<number, string>>
  /** Answers that classify an address and report no abuse. */
  policy?: readonly string[]
  /** Answers that refuse the query, besides the common ones. */
  refusals?: Readonly<Record<string, string>>
  /** Page that explains a listing and how to remove it. */
  about: string
}

const spamhausRefusals = {
  '127.255.255.252': 'The name of the zone is misspelt.',
  '127.255.255.254': 'The list answers no public resolvers: the region needs a resolver of its own.',
  '127.255.255.255': 'The list was asked too often.',
}

/** Answers that no list uses for a listing. */
export const commonRefusals: Readonly<Record<string, string>> = {
  '127.0.0.1': 'The list does not answer this resolver.',
  ...spamhausRefusals,
}

/**
 * Lists in service that may be queried without a contract, by their own descriptions. SORBS and others were shut down.
 */
export const blockLists: readonly BlockList[] = [
  {
    id: 'spamhaus_zen',
    name: 'Spamhaus ZEN',
    zone: 'zen.spamhaus.org',
    lists: ['ipv4', 'ipv6'],
    codes: {
      '127.0.0.2': 'SBL: a source of spam',
      '127.0.0.3': 'CSS: a source of spam, found automatically',
      '127.0.0.4': 'XBL: an infected or open machine',
      '127.0.0.5': 'XBL: an infected or open machine',
      '127.0.0.6': 'XBL: an infected or open machine',
      '127.0.0.7': 'XBL: an infected or open machine',
      '127.0.0.9': 'DROP: a network in criminal hands',
      '127.0.0.10': 'PBL: not meant to send mail, by its provider',
      '127.0.0.11': 'PBL: not meant to send mail, by Spamhaus',
    },
    policy: ['127.0.0.10', '127.0.0.11'],
    refusals: spamhausRefusals,
    about: 'https://check.spamhaus.org/',
  },
  {
    id: 'spamhaus_dbl',
    name: 'Spamhaus DBL',
    zone: 'dbl.spamhaus.org',
    lists: ['domain'],
    codes: {
      '127.0.1.2': 'a domain of spam',
      '127.0.1.4': 'a domain of phishing',
      '127.0.1.5': 'a domain of malware',
      '127.0.1.6': 'a domain that commands a botnet',
      '127.0.1.102': 'an honest domain abused for spam',
      '127.0.1.103': 'an honest domain abused as a redirector',
      '127.0.1.104': 'an honest domain abused for phishing',
      '127.0.1.105': 'an honest domain abused for malware',
      '127.0.1.106': 'an honest domain abused to command a botnet',
    },
    refusals: { ...spamhausRefusals, '127.0.1.255': 'The list knows no addresses.' },
    about: 'https://check.spamhaus.org/',
  },
  {
    id: 'spamcop',
    name: 'SpamCop',
    zone: 'bl.spamcop.net',
    lists: ['ipv4'],
    codes: { '127.0.0.2': 'reported as a source of spam' },
    about: 'https://www.spamcop.net/bl.shtml',
  },
  {
    id: 'barracuda',
    name: 'Barracuda Reputation',
    zone: 'b.barracudacentral.org',
    lists: ['ipv4'],
    codes: { '127.0.0.2': 'a source of spam' },
    about: 'https://www.barracudacentral.org/lookups',
  },
  {
    id: 'psbl',
    name: 'Passive Spam Block List',
    zone: 'psbl.surriel.com',
    lists: ['ipv4'],
    codes: { '127.0.0.2': 'sent mail to a trap' },
    about: 'https://psbl.org/',
  },
  {
    id: 'uceprotect_1',
    name: 'UCEPROTECT level 1',
    zone: 'dnsbl-1.uceprotect.net',
    lists: ['ipv4'],
    codes: { '127.0.0.2': 'sent mail to a trap within a week' },
    about: 'https://www.uceprotect.net/en/rblcheck.php',
  },
  {
    id: 'mailspike',
    name: 'Mailspike',
    zone: 'bl.mailspike.net',
    lists: ['ipv4'],
    codes: {
      '127.0.0.2': 'takes part in an outbreak of spam',
      '127.0.0.10': 'of the worst reputation',
      '127.0.0.11': 'of very bad reputation',
      '127.0.0.12': 'of bad reputation',
    },
    about: 'https://mailspike.org/iplookup.html',
  },
  {
    id: 'dronebl',
    name: 'DroneBL',
    zone: 'dnsbl.dronebl.org',
    lists: ['ipv4', 'ipv6'],
    codes: {
      '127.0.0.3': 'a spamming drone',
      '127.0.0.5': 'a bottler',
      '127.0.0.6': 'an unknown worm or bot',
      '127.0.0.7': 'a drone of denial of service',
      '127.0.0.8': 'an open SOCKS proxy',
      '127.0.0.9': 'an open HTTP proxy',
      '127.0.0.10': 'a chain of proxies',
      '127.0.0.11': 'a web page proxy',
      '127.0.0.12': 'an open resolver',
      '127.0.0.13': 'guesses passwords',
      '127.0.0.14': 'an open Wingate proxy',
      '127.0.0.15': 'a compromised router or gateway',
      '127.0.0.16': 'a worm that takes over machines',
      '127.0.0.17': 'a botnet, found automatically',
      '127.0.0.19': 'an abused VPN',
    },
    about: 'https://dronebl.org/lookup',
  },
  {
    id: 'blocklist_de',
    name: 'blocklist.de',
    zone: 'bl.blocklist.de',
    lists: ['ipv4', 'ipv6'],
    about: 'https://www.blocklist.de/en/search.html',
  },
  {
    id: 's5h',
    name: 's5h.net',
    zone: 'all.s5h.net',
    lists: ['ipv4', 'ipv6'],
    codes: { '127.0.0.2': 'a source of spam or attacks' },
    about: 'https://www.usenix.org.uk/content/rbl.html',
  },
  {
    id: 'surbl',
    name: 'SURBL',
    zone: 'multi.surbl.org',
    lists: ['domain'],
    bits: {
      8: 'a domain of phishing',
      16: 'a domain of malware',
      64: 'a domain of spam and abuse',
      128: 'a cracked site',
    },
    about: 'https://surbl.org/surbl-analysis',
  },
  {
    id: 'uribl',
    name: 'URIBL',
    zone: 'multi.uribl.com',
    lists: ['domain'],
    bits: { 2: 'black: a domain of spam', 4: 'grey: a domain of unwanted mail', 8: 'red: too young to be trusted' },
    about: 'https://admin.uribl.com/',
  },
]
