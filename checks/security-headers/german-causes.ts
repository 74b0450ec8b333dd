import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The site redirects in a circle, or too often\.$/, 'Die Website leitet im Kreis oder zu oft weiter.'],
  [/^(.+) is missing\.$/, '$1 fehlt.'],
  [/^(.+) are missing\.$/, '$1 fehlen.'],
  [
    /^The security headers are graded (\S), worse than (\S)\.$/,
    'Die Sicherheits-Header haben die Note $1, schlechter als $2.',
  ],
  [
    /^The grade of the security headers dropped from (\S) to (\S)\.$/,
    'Die Note der Sicherheits-Header ist von $1 auf $2 gefallen.',
  ],
]
