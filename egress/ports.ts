/**
 * Ports of servers that take plain text for commands of whoever sends it: a body posted there is a mail sent from our addresses, or a key
 * written. No site is served on them. FTP, Telnet, mail, printers, Redis, IRC, memcached.
 */
export const commandPorts: ReadonlySet<number> = new Set([21, 23, 25, 465, 515, 587, 2525, 6379, 6380, 6667, 11_211])
