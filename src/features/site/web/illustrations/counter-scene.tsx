import { company } from '#company/company.ts'

type CounterSceneProps = {
  title: string
  /** The lamp tells what is alive: out while nobody is at the counter. */
  lit: boolean
}

/** The picture of the house: a technician under the lamp of the counter's window. */
export function CounterScene({ title, lit }: CounterSceneProps) {
  return (
    <svg viewBox="0 0 640 600" className="scene" role="img" aria-label={title}>
      <path className="fill-brand-soft" d="M0 0h640v600H0z" />
      <path className="fill-brand" opacity=".08" d="M30 60h44v10H30zm54 0h26v10H84zM46 80h44v10H46zM556 300h44v10h-44zm54 0h20v10h-20zm-38 20h44v10h-44zM40 330h44v10H40zm-16 20h44v10H24zM520 40h44v10h-44zm-20 20h44v10h-44z" />
      <Window lit={lit} />
      <Technician />
      <Counter />
      <NowServing />
    </svg>
  )
}

function Window({ lit }: { lit: boolean }) {
  return (
    <>
      <path fill="#14213d" d="M112 470V252a208 208 0 0 1 416 0v218z" />
      <path fill={lit ? '#fbe3b4' : '#8d97b0'} d="M140 470V252a180 180 0 0 1 360 0v218z" />
      {lit && (
        <>
          <path fill="#fdecc8" d="M206 114a180 180 0 0 1 228 0 150 150 0 1 1-228 0z" />
          <path fill="#fff6e2" d="M245 89a180 180 0 0 1 150 0 104 104 0 1 1-150 0z" />
        </>
      )}
      <Shelves />
      <path stroke="#14213d" strokeWidth="6" d="M320 70v40" />
      <path fill="#1746a2" d="M272 142a48 36 0 0 1 96 0z" />
      <path fill={lit ? '#ffb224' : '#4a5670'} d="M300 142h40a20 20 0 0 1-40 0z" />
    </>
  )
}

/** What the technician keeps behind her: binders, a switch with its lights, a clock. */
function Shelves() {
  return (
    <>
      <path fill="#c98a3c" d="M148 330h84v9h-84zm260-58h76v9h-76z" />
      <path fill="#1746a2" d="M156 272h17v58h-17zm42 8h15v50h-15z" />
      <path fill="#b3261e" d="M175 282h11v48h-11z" />
      <path fill="#18794e" d="M188 276h9v54h-9z" />
      <path fill="#fff" d="M160 284h9v14h-9zm41 8h9v12h-9z" />
      <path fill="#14213d" d="M412 248h68v24h-68z" />
      <path fill="#62ce9b" d="M419 256h6v8h-6zm11 0h6v8h-6zm22 0h6v8h-6zm11 0h6v8h-6z" />
      <path fill="#ffb224" d="M441 256h6v8h-6z" />
      <path fill="#4a5670" d="M418 228h56v20h-56z" />
      <path fill="#9dbbff" d="M424 235h30v6h-30z" />
      <circle cx="196" cy="222" r="28" fill="#14213d" />
      <circle cx="196" cy="222" r="22" fill="#fff" />
      <path fill="none" stroke="#14213d" strokeWidth="4" strokeLinecap="round" d="M196 208v14l9 7" />
    </>
  )
}

function Technician() {
  return (
    <>
      {/* Hair behind, waving arm, body. */}
      <path fill="#2f1d14" d="M258 290c-10-72 22-104 64-104 44 0 74 32 62 106-2 22-8 40-16 48h-92c-10-8-16-28-18-50z" />
      <path fill="none" stroke="#123a88" strokeWidth="44" strokeLinecap="round" strokeLinejoin="round" d="M404 402l36 44 16-54" />
      <path fill="none" stroke="#d99a6c" strokeWidth="26" strokeLinecap="round" d="M459 380l7-28" />
      <path fill="none" stroke="#d99a6c" strokeWidth="10" strokeLinecap="round" d="M458 342l-9-21m15 18l-3-27m11 27l4-26m4 29l10-20m-38 34l-15-8" />
      <path fill="#d99a6c" d="M453 336h28l-4 26h-20z" />
      <path fill="#1746a2" d="M200 470c0-78 34-116 92-126h56c58 10 92 48 92 126z" />
      <path fill="#123a88" d="M236 470c2-26 6-42 14-56l6 2c-4 16-6 32-6 54zm154 0c0-22-2-38-6-54l6-2c8 14 12 30 14 56z" />
      <path fill="#c07f52" d="M298 300h44v46c-8 20-36 20-44 0z" />
      <path fill="#e6edfb" d="M290 340l8-6 22 24 22-24 8 6-12 34-18-16-18 16z" />
      {/* Lanyard and badge. */}
      <path fill="none" stroke="#ffb224" strokeWidth="5" d="M298 366l20 50 22-50" />
      <path fill="#fff" d="M302 412h32a4 4 0 0 1 4 4v36a4 4 0 0 1-4 4h-32a4 4 0 0 1-4-4v-36a4 4 0 0 1 4-4z" />
      <circle cx="318" cy="427" r="7" fill="#d99a6c" />
      <path stroke="#4a5670" strokeWidth="3" strokeLinecap="round" d="M308 441h20m-16 8h12" />
      {/* Face. */}
      <ellipse cx="320" cy="264" rx="52" ry="58" fill="#d99a6c" />
      <path fill="#2f1d14" d="M266 262c-2-46 26-62 56-60 32 0 54 20 52 58-22-4-40-16-50-32-12 18-34 32-58 34z" />
      <g fill="#c9694a" opacity=".4">
        <circle cx="289" cy="286" r="9" />
        <circle cx="351" cy="286" r="9" />
      </g>
      <g fill="#14213d">
        <circle cx="300" cy="270" r="5" />
        <circle cx="340" cy="270" r="5" />
      </g>
      <g fill="none" stroke="#14213d" strokeLinecap="round">
        <path strokeWidth="4" d="M292 256q8-5 15-1m26 0q8-4 15 1" opacity=".75" />
        <path strokeWidth="5" d="M302 292q18 18 36 0" />
      </g>
      <path fill="none" stroke="#b97746" strokeWidth="4" strokeLinecap="round" d="M320 274l-3 9h5" />
      {/* Headset. */}
      <path fill="none" stroke="#14213d" strokeWidth="10" d="M263 266c-6-92 120-92 114 0" />
      <path fill="#14213d" d="M252 250h12a8 8 0 0 1 8 8v26a8 8 0 0 1-8 8h-12a10 10 0 0 1-10-10v-22a10 10 0 0 1 10-10zm124 0h12a10 10 0 0 1 10 10v22a10 10 0 0 1-10 10h-12a8 8 0 0 1-8-8v-26a8 8 0 0 1 8-8z" />
      <path fill="none" stroke="#14213d" strokeWidth="5" strokeLinecap="round" d="M258 292c2 22 18 32 36 30" />
      <circle cx="297" cy="321" r="7" fill="#14213d" />
    </>
  )
}

function Counter() {
  return (
    <>
      <path fill="#9a6426" d="M84 486h472v114H84z" />
      <path fill="#87561f" d="M84 486h472v14H84z" />
      <path stroke="#87561f" strokeWidth="4" d="M178 500v100m94-100v100m96-100v100m94-100v100" />
      <path fill="#c98a3c" d="M70 454h500a10 10 0 0 1 10 10v16a10 10 0 0 1-10 10H70a10 10 0 0 1-10-10v-16a10 10 0 0 1 10-10z" />
      <path fill="#dba355" d="M70 454h500a10 10 0 0 1 10 9H60a10 10 0 0 1 10-9z" />
      {/* Her other arm, on the counter. */}
      <path fill="none" stroke="#123a88" strokeWidth="40" strokeLinecap="round" d="M226 420l14 26" />
      <path fill="none" stroke="#d99a6c" strokeWidth="24" strokeLinecap="round" d="M252 456l22 2" />
      {/* Ticket machine. */}
      <path fill="#b3261e" d="M98 388h70a10 10 0 0 1 10 10v58H88v-58a10 10 0 0 1 10-10z" />
      <path fill="#8e1c16" d="M88 436h90v20H88z" />
      <path fill="#14213d" d="M104 402h58v16h-58z" />
      <path fill="#fff" d="M112 412h42v50l-7-5-7 5-7-5-7 5-7-5-7 5z" />
      <path stroke="#4a5670" strokeWidth="4" strokeLinecap="round" d="M122 440h22" />
      <path stroke="#1746a2" strokeWidth="6" strokeLinecap="round" d="M122 427h22" />
      {/* Bell. */}
      <path fill="#ffb224" d="M354 452a26 24 0 0 1 52 0z" />
      <path fill="#14213d" d="M348 450h64v7h-64zm28-28h8v8h-8z" />
      {/* Plant. */}
      <path fill="#18794e" d="M524 414c-26-10-34-40-26-62 20 10 30 34 26 62z" />
      <path fill="#2f9e6b" d="M526 414c-2-32 14-56 38-62 4 28-12 54-38 62zm-4 0c-20 2-38-8-44-24 20-6 38 4 44 24z" />
      <path fill="#fff" d="M496 412h60l-8 44h-44z" />
      <path fill="#9dbbff" d="M498 424h56l-2 10h-52z" />
    </>
  )
}

/** The board that calls the next number. */
function NowServing() {
  return (
    <>
      <path stroke="#14213d" strokeWidth="4" d="M556 0v96m40-96v96" />
      <path fill="#14213d" d="M532 96h88a8 8 0 0 1 8 8v52a8 8 0 0 1-8 8h-88a8 8 0 0 1-8-8v-52a8 8 0 0 1 8-8z" />
      <text x="576" y="142" textAnchor="middle" fill="#ffb224" fontSize="32" fontWeight="800">
        {company.name.charAt(0)}24
      </text>
    </>
  )
}
