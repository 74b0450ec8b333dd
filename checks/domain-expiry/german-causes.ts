import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [
    /^The domain (\S+) was to expire on (.+), and its registry has not answered since\.$/,
    'Die Domain $1 sollte am $2 ablaufen; ihre Registrierungsstelle antwortet seitdem nicht.',
  ],
  [/^The domain (\S+) expires today\.$/, 'Die Domain $1 läuft heute ab.'],
  [/^The domain (\S+) expires in 1 day\.$/, 'Die Domain $1 läuft in 1 Tag ab.'],
  [/^The domain (\S+) expires in (\d+) days\.$/, 'Die Domain $1 läuft in $2 Tagen ab.'],
  [/^The domain expires in (\d+) days\.$/, 'Die Domain läuft in $1 Tagen ab.'],
  [/^The domain (\S+) expired on (.+)\.$/, 'Die Domain $1 ist am $2 abgelaufen.'],
  [/^The domain (\S+) is not registered\.$/, 'Die Domain $1 ist nicht registriert.'],
  [
    /^The domain (\S+) was deleted and is in its redemption period\.$/,
    'Die Domain $1 wurde gelöscht und kann noch zurückgeholt werden.',
  ],
  [/^The domain (\S+) is about to be deleted\.$/, 'Die Domain $1 wird in Kürze gelöscht.'],
  [
    /^The domain (\S+) was taken out of the DNS by its (?:registry|registrar) \((.+)\)\.$/,
    'Die Domain $1 wurde aus dem DNS genommen ($2).',
  ],
]
