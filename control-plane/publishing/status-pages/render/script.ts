/**
 * What a page does with a script. Every 30 seconds it asks for itself, and takes over what has changed, keeping open
 * what the reader has opened, and the focus where it is. Each history is one stop of the keyboard: the arrow keys, Home
 * and End say one bar after the other, as the pointer does, and Enter opens the table of days. Without it the page is
 * complete, and reloads itself once a minute. `i` is the number of a bar from the newest one on.
 */
export const pageScript = `(()=>{
let main=document.querySelector('main'),live=document.getElementById('live')
const day=(to,ago)=>new Date(new Date(to)-ago*864e5).toLocaleDateString(
document.documentElement.lang.replace('en','en-GB'),
{timeZone:'UTC',dateStyle:'medium'})
const prepare=()=>{for(const svg of main.querySelectorAll('svg')){
const {dataset,nextElementSibling:foot,parentNode}=svg,{to,each=1}=dataset
const n=(svg.viewBox.baseVal.width+1)/4,{tHead,tBodies}=parentNode.querySelector('table')
const hide=()=>{delete foot.dataset.at;svg.querySelector('.cur')?.remove()}
const say=i=>{
i=Math.max(0,Math.min(n-1,i))
const from=i*each,until=from+ +each,says=new Set();let at=0
for(const {cells} of tBodies[0].rows){
const next=at+(+cells[0].dataset.n||1)
if(at<until&&next>from)says.add([...cells].flatMap((c,k)=>
k&&c.textContent?tHead.rows[0].cells[k].textContent+': '+c.textContent:[]).join(', '))
at=next}
const last=Math.min(at,until)-1
hide()
dataset.at=i
svg.ariaValueNow=n-i
svg.ariaValueText=foot.dataset.at=(last>from?day(to,last)+' – ':'')+day(to,from)+'. '+[...says].join('; ')
svg.insertAdjacentHTML('beforeend','<path class="cur" d="M'+((n-1-i)*4+1.5)+' 0v32"/>')}
const walk=by=>say((+dataset.at||0)+by)
Object.assign(svg,{role:'slider',tabIndex:0,ariaReadOnly:true,ariaValueMin:1,ariaValueMax:n,ariaValueNow:n,
onfocus:()=>walk(0),onblur:hide,onpointerleave:hide,
onpointermove:e=>{const b=svg.getBoundingClientRect();say(n-1-Math.floor((e.clientX-b.x)/b.width*n))},
onkeydown:e=>{
const d=parentNode.querySelector('.days'),by={ArrowLeft:1,ArrowRight:-1,Home:n,End:-n}[e.key]
if(e.key==='Enter')d.open=!d.open
else if(by&&!e.altKey){e.preventDefault();walk(by)}}})}}
prepare()
const state=()=>main.querySelector('h1').textContent.trim()
const key=e=>e.href||e.parentNode.id||e.parentNode.querySelector('.days')?.id+'-bars'
setInterval(async()=>{
if(document.hidden)return
try{
const got=await fetch(location.href,{headers:{'If-None-Match':main.dataset.tag}})
if(!got.ok)return
const next=new DOMParser().parseFromString(await got.text(),'text/html').querySelector('main')
if(!next?.dataset.tag)return
const old=main,stop=document.activeElement,before=state()
for(const d of main.querySelectorAll('details')){const e=next.querySelector('#'+d.id);if(e)e.open=d.open}
main=next
old.replaceWith(next)
prepare()
if(old.contains(stop))for(const e of main.querySelectorAll('a,summary,svg'))if(key(e)===key(stop)){
e.dataset.at=stop.dataset.at
e.focus()
break}
if(state()!==before)live.textContent=live.dataset.says+' '+state()
}catch{}
},30000)})()`
