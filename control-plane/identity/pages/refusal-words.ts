import type { PageLanguage } from './page.ts'

interface RefusalWords {
  refused: string
  /** There is nothing at this address. */
  lost: string
  lostSays: string
  toApp: string
  /** The host is none of ours. */
  unserved: string
  slow: string
  broken: string
  failed: string
  signIn: string
  request: string
  tooMany(seconds: number): string
  /** By the code of a refusal of the API. */
  byCode: Readonly<Record<string, string>>
}

const minutes = (seconds: number) => Math.ceil(seconds / 60)

/** What refusals say to people in a browser. */
export const refusalWords: Record<PageLanguage, RefusalWords> = {
  en: {
    refused: 'That was refused',
    lost: 'There is nothing here',
    lostSays: 'The address may be mistyped, or what was here is gone.',
    toApp: 'To the app',
    unserved: 'Nothing is served at this address.',
    slow: 'Too many attempts',
    broken: 'Something went wrong',
    failed: 'This did not work. Try again in a moment.',
    signIn: 'To the sign-in page',
    request: 'Request:',
    tooMany: seconds =>
      seconds <= 60
        ? `There were too many attempts. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`
        : `There were too many attempts. Try again in ${minutes(seconds)} minutes.`,
    byCode: {
      cross_site: 'This form was sent from another site. Open our page and fill it in there.',
      form_expired: 'This form is no longer valid. Go back, reload the page and send it again; cookies must be on.',
      bad_credentials: 'The address or the password is wrong.',
      tenant_suspended: 'Your team is suspended. Ask the people who run this service for you.',
      password_login_hidden:
        'Your team does not sign in by password. Sign in with your company, or use the way that your ' +
        'provider gave you.',
      sign_in_over: 'This sign-in took too long. Begin again with your address and password.',
      mfa_required: 'Your team requires a second factor. Set it up on the page of your account.',
      mfa_enabled: 'The second factor is on already.',
      wrong_password: 'The password is wrong.',
      wrong_code: 'This code is wrong, or another one is shown by now.',
      reauthentication_required: 'For this, sign out and sign in once more: your sign-in is more than ten minutes old.',
      session_needed: 'This session is limited to its team. Sign in with your own account for this.',
    },
  },
  de: {
    refused: 'Das wurde abgelehnt',
    lost: 'Hier ist nichts',
    lostSays: 'Vielleicht ist die Adresse falsch geschrieben, oder was hier war, gibt es nicht mehr.',
    toApp: 'Zur App',
    unserved: 'Unter dieser Adresse ist nichts eingerichtet.',
    slow: 'Zu viele Versuche',
    broken: 'Etwas ging schief',
    failed: 'Das hat nicht geklappt. Versuchen Sie es gleich noch einmal.',
    signIn: 'Zur Anmeldung',
    request: 'Anfrage:',
    tooMany: seconds =>
      seconds <= 60
        ? `Es gab zu viele Versuche. Versuchen Sie es in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'} wieder.`
        : `Es gab zu viele Versuche. Versuchen Sie es in ${minutes(seconds)} Minuten wieder.`,
    byCode: {
      cross_site: 'Dieses Formular kam von einer anderen Website. Füllen Sie es auf unserer Seite aus.',
      form_expired:
        'Dieses Formular gilt nicht mehr. Gehen Sie zurück, laden Sie die Seite neu und senden Sie es noch ' +
        'einmal; Cookies müssen erlaubt sein.',
      bad_credentials: 'Die Adresse oder das Passwort ist falsch.',
      tenant_suspended: 'Ihr Team ist gesperrt. Fragen Sie die Betreiber dieses Dienstes.',
      password_login_hidden:
        'Ihr Team meldet sich nicht mit Passwort an. Melden Sie sich mit Ihrem Unternehmen an, oder benutzen Sie den ' +
        'Weg, den Ihr Anbieter Ihnen genannt hat.',
      sign_in_over: 'Diese Anmeldung hat zu lange gedauert. Beginnen Sie noch einmal mit Adresse und Passwort.',
      mfa_required: 'Ihr Team verlangt einen zweiten Faktor. Richten Sie ihn auf der Seite Ihres Kontos ein.',
      mfa_enabled: 'Der zweite Faktor ist schon an.',
      wrong_password: 'Das Passwort ist falsch.',
      wrong_code: 'Dieser Code ist falsch, oder es wird schon ein anderer gezeigt.',
      reauthentication_required:
        'Melden Sie sich dafür ab und wieder an: Ihre Anmeldung ist mehr als zehn Minuten her.',
      session_needed: 'Diese Sitzung gilt nur für ihr Team. Melden Sie sich dafür mit Ihrem eigenen Konto an.',
    },
  },
}
