/** File systems that hold nobody's files. */
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
