/**
 * Ports of servers that execute plain text as commands: a request body sent there could send a mail from our addresses
 * or write a key. No website uses them. FTP, Telnet, mail, printers, Redis, IRC, memcached.
 */
export const commandPorts: ReadonlySet<number> = new Set([21, 23, 25, 465, 515, 587, 2525, 6379, 6380, 6667, 11_211])
