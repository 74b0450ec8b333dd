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

async function signIn(useBrowserAutofill) {
  const { data: optionsJSON } = await post('/auth/passkeys/options', {})
  const credential = await startAuthentication({ optionsJSON, useBrowserAutofill })
  await post('/auth/passkeys/verify', { credential })
  location.assign(slot.dataset.next)
}

async function add() {
  const { data: optionsJSON } = await post('/profile/passkeys/options', {})
  const credential = await startRegistration({ optionsJSON })
  await post('/profile/passkeys', { credential })
  location.assign(slot.dataset.next)
}

const failed = error => {
  // a press of the button ends the wait of the autofill
  if (error.code === 'ERROR_CEREMONY_ABORTED') return
  said.textContent = error.code === 'reauthentication_required' ? slot.dataset.stale : slot.dataset.failed
}

if (browserSupportsWebAuthn()) {
  button.type = 'button'
  button.className = 'plain'
  button.textContent = slot.dataset.button
  button.addEventListener('click', () => {
    said.textContent = ''
    button.disabled = true
    const act = slot.dataset.action === 'add' ? add : () => signIn(false)
    act()
      .catch(failed)
      .finally(() => {
        button.disabled = false
      })
  })
  slot.append(button, said)
  if (slot.dataset.action === 'sign-in' && document.querySelector("input[autocomplete$='webauthn']"))
    browserSupportsWebAuthnAutofill().then(is => is && signIn(true).catch(failed))
} else {
  said.textContent = slot.dataset.unsupported
  slot.append(said)
}
