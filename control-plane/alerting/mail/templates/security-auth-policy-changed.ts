import { notice } from './template.ts'

/** One sentence for each change. */
const sentences = (words: Record<string, string>) =>
  `{% case change %}${Object.entries(words)
    .map(([change, text]) => `{% when '${change}' %}${text}`)
    .join('')}{% endcase %}`

export const authPolicyChanged = notice('security_auth_policy_changed', 'neutral', {
  en: {
    subject: 'The rules of signing in were changed',
    says: sentences({
      mfa_required: 'the team {{ team_name }} requires a second factor. If you have none, please set one up in time.',
      mfa_optional: 'the team {{ team_name }} no longer requires a second factor.',
      sso_enforced: 'the team {{ team_name }} can be entered by single sign-on only.',
      sso_optional: 'the team {{ team_name }} can be entered by single sign-on, and in the other ways again.',
      sso_changed: 'single sign-on of the team {{ team_name }} was changed.',
      sso_removed: 'single sign-on of the team {{ team_name }} was removed.',
    }),
    details: [['Required from', '{{ mfa_due_at | moment }}']],
    note: 'If you did not expect that, ask an administrator of your team.',
  },
  de: {
    subject: 'Die Regeln der Anmeldung wurden geändert',
    says: sentences({
      mfa_required:
        'das Team {{ team_name }} verlangt einen zweiten Faktor. Wenn Sie keinen haben, richten Sie bitte rechtzeitig ' +
        'einen ein.',
      mfa_optional: 'das Team {{ team_name }} verlangt keinen zweiten Faktor mehr.',
      sso_enforced: 'die Anmeldung im Team {{ team_name }} ist nur noch über Single Sign-on möglich.',
      sso_optional:
        'die Anmeldung im Team {{ team_name }} ist über Single Sign-on und wieder auf andere Weise möglich.',
      sso_changed: 'Single Sign-on des Teams {{ team_name }} wurde geändert.',
      sso_removed: 'Single Sign-on des Teams {{ team_name }} wurde entfernt.',
    }),
    details: [['Verlangt ab', '{{ mfa_due_at | moment }}']],
    note: 'Wenn Sie das nicht erwartet haben, fragen Sie einen Administrator Ihres Teams.',
  },
})
