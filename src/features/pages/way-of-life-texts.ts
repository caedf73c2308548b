import { defineTexts } from '#src/lib/language/texts.ts'

export const wayOfLifeTexts = defineTexts({
  fr: {
    carousel: 'Notre quotidien en images',
    carouselRole: 'carrousel',
    slideRole: 'image',
    slideOf: '{number} sur {count}',
    previous: 'Image précédente',
    next: 'Image suivante',
    pause: 'Mettre le défilement en pause',
    play: 'Faire défiler les images',
    goTo: 'Aller à l’image {number}',
    pictures: 'Choisir une image',
    team: 'Rencontrer l’équipe',
    careers: 'Voir les postes ouverts',
  },
  en: {
    carousel: 'Our days in pictures',
    carouselRole: 'carousel',
    slideRole: 'picture',
    slideOf: '{number} of {count}',
    previous: 'Previous picture',
    next: 'Next picture',
    pause: 'Pause the slides',
    play: 'Play the slides',
    goTo: 'Go to picture {number}',
    pictures: 'Choose a picture',
    team: 'Meet the team',
    careers: 'See our open positions',
  },
})
