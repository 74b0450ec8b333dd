/** Virtual file systems, which are not reported. */
const pseudo = new Set([
  'tmpfs',
  'devtmpfs',
  'overlay',
  'squashfs',
  'iso9660',
  'nullfs',
  'autofs',
  'efivarfs',
  'ramfs',
  'devfs',
])

export const isPseudo = (type: string) => pseudo.has(type.toLowerCase())
