// the token leaves the address bar and the history; only the person's click sends it
document.querySelector('input[name=token]').value = location.hash.slice(1)
history.replaceState(null, '', location.pathname)
