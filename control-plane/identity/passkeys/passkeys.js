const slot = document.querySelector('#passkey')
const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication, startRegistration } =
  SimpleWebAuthnBrowser
const button = document.createElement('button')
const said = document.createElement('p')
said.setAttribute('role', 'alert')

async function post(path, body) {
  const answer = await fetch(`/api/v1${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  const read = await answer.json()
  if (!answer.ok) throw Object.assign(new Error(read.message), { code: read.code })
  return read
}

async function choose(useBrowserAutofill) {
  const { data: optionsJSON } = await post('/auth/passkeys/options', {})
  return await startAuthentication({ optionsJSON, useBrowserAutofill })
}

async function signIn(credential) {
  const { value: token } = document.querySelector('input[name=form_token]')
  const fields = { form_token: token, next: slot.dataset.next, credential: JSON.stringify(credential) }
  const answer = await fetch('/login/passkey', { method: 'POST', body: new URLSearchParams(fields) })
  if (!answer.redirected) throw new Error(String(answer.status))
  // a person of several teams chooses one first
  const isChoice = new URL(answer.url).pathname === '/login/team'
  location.assign(isChoice ? '/login/team' : slot.dataset.next)
}

async function stepUp() {
  const { data: optionsJSON } = await post('/auth/passkeys/options', {})
  const passkey = await startAuthentication({ optionsJSON })
  await post('/auth/step-up', { passkey })
  location.assign(slot.dataset.next)
}

async function add() {
  const { data: optionsJSON } = await post('/profile/passkeys/options', {})
  const credential = await startRegistration({ optionsJSON })
  await post('/profile/passkeys', { credential })
  location.assign(slot.dataset.next)
}

const failed = error => {
  if (error.code === 'reauthentication_required') return location.assign(slot.dataset.stepUp)
  said.textContent = slot.dataset.failed
}

const acts = { 'sign-in': async () => signIn(await choose(false)), 'step-up': stepUp, add }

if (browserSupportsWebAuthn()) {
  button.type = 'button'
  button.className = 'plain'
  button.textContent = slot.dataset.button
  button.addEventListener('click', () => {
    said.textContent = ''
    button.disabled = true
    acts[slot.dataset.action]()
      .catch(failed)
      .finally(() => {
        button.disabled = false
      })
  })
  slot.append(button, said)
  // autofill only offers: nothing is said where it cannot, as at an IP address, and where a press of the button ends it
  const offer = () =>
    choose(true).then(
      credential => signIn(credential).catch(failed),
      () => undefined,
    )
  if (slot.dataset.action === 'sign-in' && document.querySelector("input[autocomplete$='webauthn']"))
    browserSupportsWebAuthnAutofill().then(is => is && offer())
} else {
  said.textContent = slot.dataset.unsupported
  slot.append(said)
}
