import evaluator from 'csp_evaluator'
import finding from 'csp_evaluator/dist/finding.js'
import parser from 'csp_evaluator/dist/parser.js'
import type { weaknessSeverities } from './kind.ts'

const { CspEvaluator } = evaluator
const { Severity } = finding
const { CspParser } = parser

export interface Weakness {
  directive: string
  severity: (typeof weaknessSeverities)[number]
  message: string
}

const names = new Map<number, Weakness['severity']>([
  [Severity.HIGH, 'high'],
  [Severity.SYNTAX, 'syntax'],
  [Severity.MEDIUM, 'medium'],
  [Severity.HIGH_MAYBE, 'high_maybe'],
  [Severity.STRICT_CSP, 'strict_csp'],
  [Severity.MEDIUM_MAYBE, 'medium_maybe'],
  [Severity.INFO, 'info'],
])
const maxPolicyChars = 4_096
const maxWeaknesses = 20

/** The weaknesses that Google's CSP Evaluator finds in a policy, the worst first. */
export function weaknessesOf(policy: string): Weakness[] {
  const findings = new CspEvaluator(new CspParser(policy.slice(0, maxPolicyChars)).csp).evaluate()
  return findings
    .toSorted((one, other) => one.severity - other.severity)
    .flatMap(({ directive, severity, description, value }) => {
      const name = names.get(severity)
      const message = value === undefined ? description : `${description} (${value})`
      return name ? [{ directive: directive.slice(0, 60), severity: name, message: plain(message).slice(0, 300) }] : []
    })
    .slice(0, maxWeaknesses)
}

const plain = (text: string) => text.replace(/\s+/g, ' ').trim()
