/**
 * The scoring of the MDN HTTP Observatory, algorithm version 4, as published on its page "HTTP Observatory Scoring
 * Methodology" and in the package mdn-http-observatory 1.4: a hundred points minus the penalties; from ninety on,
 * bonuses are added. Not implemented: the bonus for browsers' preload lists, because they are not queried.
 */
export const scoring = 'mdn-http-observatory/4'

/** Points and advice for every result, with the Observatory's names. */
export const results = {
  'csp-implemented-with-no-unsafe-default-src-none': [10, null],
  'csp-implemented-with-no-unsafe': [5, "Set default-src to 'none' and allow only what each directive needs."],
  'csp-implemented-with-unsafe-inline-in-style-src-only': [
    0,
    "Take 'unsafe-inline', data: and whole schemes out of style-src.",
  ],
  'csp-implemented-with-insecure-scheme-in-passive-content-only': [-10, 'Do not allow http: for images and media.'],
  'csp-implemented-with-unsafe-eval': [-10, "Do without eval(), then take 'unsafe-eval' out."],
  'csp-implemented-with-unsafe-inline': [
    -20,
    "Take 'unsafe-inline', data: and whole schemes out of script-src and object-src, and set both.",
  ],
  'csp-implemented-with-insecure-scheme': [-20, 'Do not allow anything over http:.'],
  'csp-implemented-but-duplicate-directives': [0, 'Name report-uri and report-to once.'],
  'csp-header-invalid': [-25, 'Correct the policy: it cannot be read, or contradicts itself.'],
  'csp-not-implemented-but-reporting-enabled': [-25, 'Enforce the policy that is only reported on so far.'],
  'csp-not-implemented': [-25, 'Send a Content-Security-Policy.'],

  'cookies-secure-with-httponly-sessions-and-samesite': [5, null],
  'cookies-secure-with-httponly-sessions': [0, 'Give every cookie a SameSite attribute.'],
  'cookies-not-found': [0, null],
  'cookies-without-secure-flag-but-protected-by-hsts': [-5, 'Set cookies with Secure.'],
  'cookies-session-without-secure-flag-but-protected-by-hsts': [-10, 'Set session cookies with Secure.'],
  'cookies-without-secure-flag': [-20, 'Set cookies with Secure.'],
  'cookies-samesite-flag-invalid': [-20, 'Set SameSite to Strict or Lax, or to None together with Secure.'],
  'cookies-anticsrf-without-samesite-flag': [-20, 'Set the cookie against request forgery with SameSite.'],
  'cookies-session-without-httponly-flag': [-30, 'Set session cookies with HttpOnly.'],
  'cookies-session-without-secure-flag': [-40, 'Set session cookies with Secure.'],

  'cross-origin-resource-sharing-not-implemented': [0, null],
  'cross-origin-resource-sharing-implemented-with-public-access': [0, null],
  'cross-origin-resource-sharing-implemented-with-restricted-access': [0, null],
  'cross-origin-resource-sharing-implemented-with-universal-access': [
    -50,
    'Do not let every origin in together with its cookies.',
  ],

  'redirection-to-https': [0, null],
  'redirection-not-needed-no-http': [0, null],
  'redirection-off-host-from-http': [-5, 'Redirect to https on the same host first, then elsewhere.'],
  'redirection-not-to-https-on-initial-redirection': [-10, 'Redirect to https at once.'],
  'redirection-not-to-https': [-20, 'Let redirects end at https.'],
  'redirection-missing': [-20, 'Redirect from http to https.'],
  'redirection-invalid-cert': [-20, 'Install a certificate that is trusted.'],

  'referrer-policy-private': [5, null],
  'referrer-policy-not-implemented': [0, 'Send Referrer-Policy: strict-origin-when-cross-origin.'],
  'referrer-policy-unsafe': [-5, 'Send Referrer-Policy: strict-origin-when-cross-origin.'],
  'referrer-policy-header-invalid': [-5, 'Send Referrer-Policy: strict-origin-when-cross-origin.'],

  'hsts-implemented-max-age-at-least-six-months': [0, null],
  'hsts-implemented-max-age-less-than-six-months': [-10, 'Raise max-age to half a year (15768000) at least.'],
  'hsts-not-implemented': [-20, 'Send Strict-Transport-Security: max-age=31536000; includeSubDomains.'],
  'hsts-header-invalid': [-20, 'Send Strict-Transport-Security once, with a max-age.'],
  'hsts-not-implemented-no-https': [-20, 'Serve the site over https.'],
  'hsts-invalid-cert': [-20, 'Install a certificate that is trusted: without one the header is ignored.'],

  'sri-implemented-and-all-scripts-loaded-securely': [5, null],
  'sri-implemented-and-external-scripts-loaded-securely': [5, null],
  'sri-not-implemented-response-not-html': [0, null],
  'sri-not-implemented-but-no-scripts-loaded': [0, null],
  'sri-not-implemented-but-all-scripts-loaded-from-secure-origin': [0, null],
  'sri-not-implemented-but-external-scripts-loaded-securely': [
    -5,
    'Load scripts of others with an integrity attribute.',
  ],
  'sri-implemented-but-external-scripts-not-loaded-securely': [-20, 'Load scripts of others over https.'],
  'sri-not-implemented-and-external-scripts-not-loaded-securely': [
    -50,
    'Load scripts of others over https, with an integrity attribute.',
  ],

  'x-content-type-options-nosniff': [0, null],
  'x-content-type-options-not-implemented': [-5, 'Send X-Content-Type-Options: nosniff.'],
  'x-content-type-options-header-invalid': [-5, 'Send X-Content-Type-Options: nosniff.'],

  'x-frame-options-implemented-via-csp': [5, null],
  'x-frame-options-sameorigin-or-deny': [0, 'Say it with frame-ancestors in the Content-Security-Policy too.'],
  'x-frame-options-allow-from-origin': [
    0,
    'Say it with frame-ancestors in the Content-Security-Policy: browsers ignore ALLOW-FROM.',
  ],
  'x-frame-options-not-implemented': [
    -20,
    'Say with frame-ancestors in the Content-Security-Policy who may frame the site.',
  ],
  'x-frame-options-header-invalid': [
    -20,
    'Send X-Frame-Options: DENY, or frame-ancestors in the Content-Security-Policy.',
  ],

  'corp-implemented-with-same-origin': [10, null],
  'corp-implemented-with-same-site': [10, null],
  'corp-implemented-with-cross-origin': [0, null],
  'corp-not-implemented': [0, 'Send Cross-Origin-Resource-Policy: same-origin.'],
  'corp-header-invalid': [-5, 'Send Cross-Origin-Resource-Policy: same-origin.'],
} as const satisfies Record<string, readonly [points: number, advice: string | null]>

export type ScoredResult = keyof typeof results

/** From the best down, with the lowest score of each. */
const chart = [
  ['A+', 100],
  ['A', 90],
  ['A-', 85],
  ['B+', 80],
  ['B', 70],
  ['B-', 65],
  ['C+', 60],
  ['C', 50],
  ['C-', 45],
  ['D+', 40],
  ['D', 30],
  ['D-', 25],
  ['F', 0],
] as const
export const grades = ['A+', 'A', 'A-', 'B+', 'B', 'B-', 'C+', 'C', 'C-', 'D+', 'D', 'D-', 'F'] as const
export type Grade = (typeof grades)[number]

const bonusFrom = 90

export function gradeOf(all: readonly ScoredResult[]): { score: number; grade: Grade } {
  const points = all.map(result => results[result][0])
  const lowered = points.reduce<number>((sum, each) => sum + Math.min(each, 0), 100)
  const raised = lowered < bonusFrom ? lowered : points.reduce<number>((sum, each) => sum + Math.max(each, 0), lowered)
  const score = Math.max(raised, 0)
  return { score, grade: chart.find(([, least]) => score >= least)?.[0] ?? 'F' }
}

/** Number of grades between the two: positive when `now` is worse. */
export const gradesLost = (before: Grade, now: Grade) => grades.indexOf(now) - grades.indexOf(before)
