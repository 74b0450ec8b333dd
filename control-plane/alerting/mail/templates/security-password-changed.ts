import { notice } from './template.ts'

const kinds = {
  en: "{% if kind == 'rk' %}reseller token{% else %}API key{% endif %}",
  de: "{% if kind == 'rk' %}Reseller-Token{% else %}API-Schlüssel{% endif %}",
}

export const passwordChanged = notice('security_password_changed', 'warning', {
  en: {
    subject: 'Your password was changed',
    says: 'your account has a new password. All other sessions and your personal tokens have ended. Keys of your teams stay.',
    details: [['Keys you made in other teams', '{% if keys_elsewhere > 0 %}{{ keys_elsewhere }}{% endif %}']],
    lists: [{ title: 'Keys you made that still work', of: 'keys', row: '{{ name }}', detail: kinds.en }],
  },
  de: {
    subject: 'Ihr Passwort wurde geändert',
    says: 'Ihr Konto hat ein neues Passwort. Alle anderen Sitzungen und Ihre persönlichen Token sind beendet. Schlüssel Ihrer Teams bleiben.',
    details: [
      ['Von Ihnen angelegte Schlüssel in anderen Teams', '{% if keys_elsewhere > 0 %}{{ keys_elsewhere }}{% endif %}'],
    ],
    lists: [
      { title: 'Von Ihnen angelegte Schlüssel, die weiter gelten', of: 'keys', row: '{{ name }}', detail: kinds.de },
    ],
  },
})
