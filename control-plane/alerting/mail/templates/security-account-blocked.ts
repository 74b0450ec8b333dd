import { notice } from './template.ts'

const byGuesses = "{% if reason == 'guesses' %}"

export const accountBlocked = notice('security_account_blocked', 'warning', {
  en: {
    subject: 'Access to your account was blocked',
    says:
      `${byGuesses}someone entered wrong passwords or codes for your account too often. Sign-in from their network is ` +
      'blocked for a while; networks that you have signed in from are not.' +
      '{% else %}an administrator disabled you in the team {{ team_name }}. Your sessions there have ended.{% endif %}',
    details: [['Network of the guesses', '{{ network }}']],
    note:
      `${byGuesses}If that was not you, choose a password that you use nowhere else, and a second factor.` +
      '{% else %}If you did not expect that, ask an administrator of your team.{% endif %}',
  },
  de: {
    subject: 'Der Zugang zu Ihrem Konto wurde gesperrt',
    says:
      `${byGuesses}jemand hat zu oft falsche Passwörter oder Codes für Ihr Konto eingegeben. Die Anmeldung aus diesem ` +
      'Netz ist für eine Weile gesperrt; Netze, aus denen Sie sich schon angemeldet haben, sind es nicht.' +
      '{% else %}ein Administrator hat Sie im Team {{ team_name }} gesperrt. ' +
      'Ihre Sitzungen dort sind beendet.{% endif %}',
    details: [['Netz der Versuche', '{{ network }}']],
    note:
      `${byGuesses}Wenn Sie das nicht waren, wählen Sie ein Passwort, das Sie nirgends sonst verwenden, und einen ` +
      'zweiten Faktor.{% else %}Wenn Sie das nicht erwartet haben, fragen Sie einen Administrator Ihres Teams.{% endif %}',
  },
})
